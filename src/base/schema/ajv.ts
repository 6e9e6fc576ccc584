// The schema library and what belongs to it: loaded with the first check, not with the sandbox.
import formats from 'ajv-formats';

export { Ajv2020 } from 'ajv/dist/2020.js';
export const addFormats = formats.default;
