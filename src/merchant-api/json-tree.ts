import { Refusal } from '../refusal.ts';

/** Levels of nesting at most. Source: ours. */
const MAX_DEPTH = 32;
/** Keys that could reach an object's prototype when somebody copies it carelessly. */
const DANGEROUS = new Set(['__proto__', 'constructor', 'prototype']);

/** Refuses nesting that is too deep, dangerous keys and numbers that JSON cannot mean, each by its JSON path. */
export function checkTree(value: unknown, path = '$', depth = 1): void {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new Refusal('malformed-body', `${path}: the number is too large`);
  }
  if (typeof value !== 'object' || value === null) {
    return;
  }
  if (depth > MAX_DEPTH) {
    throw new Refusal('malformed-body', `the body is nested more than ${MAX_DEPTH} levels deep`);
  }
  if (Array.isArray(value)) {
    value.forEach((item, index) => {
      checkTree(item, `${path}[${index}]`, depth + 1);
    });
    return;
  }
  for (const key of Object.keys(value)) {
    if (DANGEROUS.has(key)) {
      throw new Refusal('malformed-body', `${path}: a member called ${key} is not taken`);
    }
    const member = (value as Record<string, unknown>)[key];
    // Paths are words for the rare refusal; texts, the usual members, need none.
    if (typeof member === 'object' || typeof member === 'number') {
      checkTree(member, `${path}.${key.slice(0, 60)}`, depth + 1);
    }
  }
}
