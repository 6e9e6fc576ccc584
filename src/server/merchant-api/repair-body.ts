import type { SchemaObject } from 'ajv/dist/2020.js';
import { isMembers } from '../../base/members.ts';
import { keysIn } from '../../base/schema/json-path.ts';

/**
 * A body with its schema's examples at these JSON paths, so that what else it says can be looked at; without the member
 * where there is no example. The body that came is not changed.
 */
export function repairBody(schema: SchemaObject, body: unknown, paths: readonly string[]): unknown {
  return paths.reduce((repaired, path) => withExample(schema, repaired, keysIn(path)), body);
}

function withExample(schema: SchemaObject, value: unknown, keys: readonly string[]): unknown {
  const [key, ...inner] = keys;
  if (key === undefined) {
    return exampleOf(schema);
  }
  if (Array.isArray(value)) {
    return value.map((entry, index) => (index === Number(key) ? withExample(schema['items'], entry, inner) : entry));
  }
  const property = propertiesOf(schema)[key];
  if (!isMembers(value) || !property) {
    return value;
  }
  const { [key]: came, ...others } = value;
  const repaired = withExample(property, came, inner);
  return repaired === undefined ? others : { ...others, [key]: repaired };
}

/** Undefined where a part of it has none: what a file contains is in no schema. */
function exampleOf(schema: SchemaObject): unknown {
  const { examples, required }: SchemaObject = schema;
  if (examples || !required) {
    return examples?.[0];
  }
  const properties = propertiesOf(schema);
  const members = (required as string[]).map((name) => [name, exampleOf(properties[name] ?? {})] as const);
  return members.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(members);
}

function propertiesOf(schema: SchemaObject): Readonly<Record<string, SchemaObject>> {
  return schema['properties'] ?? {};
}
