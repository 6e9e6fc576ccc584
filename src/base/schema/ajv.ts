// The schema library and its formats. This module is loaded with the first check, not when the sandbox starts.
import formats from 'ajv-formats';

export { Ajv2020 } from 'ajv/dist/2020.js';
export const addFormats = formats.default;
