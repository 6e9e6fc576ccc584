import type { SchemaObject } from 'ajv/dist/2020.js';
import { loadSchema } from './load-schema.ts';

/** What a `$ref` points to: the file's name below schemas/, the way within the file, and the schema there. */
export interface Referenced {
  file: string;
  /** JSON pointer; empty for the whole file. */
  pointer: string;
  schema: SchemaObject;
}

/** Follows a `$ref` that stands in a schema file. */
export function followReference(reference: string, from: string): Referenced {
  const target = new URL(reference, `schema:///${from}.json`);
  const file = target.pathname.slice(1).replace(/\.json$/, '');
  const pointer = decodeURIComponent(target.hash.slice(1));
  const parts = pointer.split('/').slice(1);
  const schema = parts.reduce<SchemaObject>((here, part) => here[part], loadSchema(file));
  return { file, pointer, schema };
}

/** The members that a schema names, with each reference replaced by what it leads to, through as many files as it takes. */
export function schemaMembers(name: string): Record<string, SchemaObject> {
  const members: Record<string, SchemaObject> = loadSchema(name)['properties'] ?? {};
  return Object.fromEntries(Object.entries(members).map(([member, schema]) => [member, resolved(schema, name)]));
}

function resolved({ $ref, ...schema }: SchemaObject, from: string): SchemaObject {
  if (typeof $ref !== 'string') {
    return schema;
  }
  const target = followReference($ref, from);
  return resolved(target.schema, target.file);
}
