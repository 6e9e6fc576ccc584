import type { SchemaObject } from 'ajv/dist/2020.js';

/** A copy of a schema that skips the items of too long lists, which are refused anyway. Schemas that have an `if` stay as they are. */
export function skipLongLists<Part>(part: Part): Part {
  if (Array.isArray(part)) {
    return part.map(skipLongLists) as Part;
  }
  if (typeof part !== 'object' || part === null) {
    return part;
  }
  const copy = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, skipLongLists(value)]));
  const { items, maxItems, ...others }: SchemaObject = copy;
  const isBounded = typeof maxItems === 'number' && typeof items === 'object' && !('if' in copy);
  return (isBounded ? { ...others, maxItems, if: { minItems: maxItems + 1 }, else: { items } } : copy) as Part;
}
