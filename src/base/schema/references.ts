import type { SchemaObject } from 'ajv/dist/2020.js';
import { isMembers } from '../members.ts';
import { loadSchema } from './load-schema.ts';

/** The target of a `$ref`: the file's name below schemas/, the pointer within the file, and the schema there. */
export interface ReferenceTarget {
  file: string;
  /** JSON pointer; empty for the whole file. */
  pointer: string;
  schema: SchemaObject;
}

/** Follows a `$ref` in a schema file. */
export function followReference(reference: string, from: string): ReferenceTarget {
  const target = new URL(reference, `schema:///${from}.json`);
  const file = target.pathname.slice(1).replace(/\.json$/, '');
  const pointer = decodeURIComponent(target.hash.slice(1));
  const parts = pointer.split('/').slice(1);
  const schema = parts.reduce<SchemaObject>((parent, part) => parent[part], loadSchema(file));
  return { file, pointer, schema };
}

/** The members of a schema, with every reference replaced by its target. */
export function schemaMembers(name: string): Record<string, SchemaObject> {
  const members: Record<string, SchemaObject> = loadSchema(name)['properties'] ?? {};
  return Object.fromEntries(Object.entries(members).map(([member, schema]) => [member, inline(schema, name)]));
}

/** Replaces references recursively. This ends, because none of these schemas refers to itself. */
function inline<Part>(part: Part, from: string): Part;
function inline(part: unknown, from: string): unknown {
  if (Array.isArray(part)) {
    return part.map((item) => inline(item, from));
  }
  if (!isMembers(part)) {
    return part;
  }
  const { $ref, ...others } = part;
  if (typeof $ref === 'string') {
    const { schema, file } = followReference($ref, from);
    return inline(schema, file);
  }
  return Object.fromEntries(Object.entries(others).map(([key, value]) => [key, inline(value, from)]));
}
