// The schema library and its formats, imported on first use because loading them takes long.
import formats from 'ajv-formats';

export { Ajv2020 } from 'ajv/dist/2020.js';
export const addFormats = formats.default;
