import { readFileSync } from 'node:fs';
import type { SchemaObject } from 'ajv/dist/2020.js';
import { PACKAGE_ROOT } from '../package.ts';

const FOLDER = `${PACKAGE_ROOT}schemas/`;

const schemas = new Map<string, SchemaObject>();

/** A schema by its name below schemas/, e.g. `requests/single-payment`. */
export function loadSchema(name: string): SchemaObject {
  let schema = schemas.get(name);
  if (!schema) {
    schema = JSON.parse(readFileSync(`${FOLDER}${name}.json`, 'utf8')) as SchemaObject;
    schemas.set(name, schema);
  }
  return schema;
}
