import { membersOf } from '../../../base/members.ts';
import { errorFinding, Refusal } from '../../../base/refusal.ts';
import { memberPath } from '../../../base/schema/json-path.ts';

/** Maximum levels of nesting; the body itself is the first. Source: ours. */
const MAX_DEPTH = 32;

interface Defect {
  /** Keys of its path, innermost first, because they are collected while the recursion returns. */
  keys: (string | number)[];
  expected: string;
  received: string;
}

/**
 * Refuses nesting that is too deep, keys that could change a prototype if code copies the value carelessly, and
 * numbers such as 1e999, which are parsed as infinite. The refusal names the JSON path. Source: ours.
 */
export function checkTree(value: object): void {
  const defect = defectIn(value, 1);
  if (defect) {
    const { keys, expected, received } = defect;
    const path = keys.reduceRight<string>(memberPath, '$');
    throw new Refusal('malformed-body', `${path}: expected ${expected}, received ${received}`, {
      findings: [errorFinding(path, expected, received)],
    });
  }
}

function defectIn(value: object, depth: number): Defect | null {
  if (depth > MAX_DEPTH) {
    return { keys: [], expected: `at most ${MAX_DEPTH} levels`, received: `a body more than ${MAX_DEPTH} levels deep` };
  }
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const defect = defectOf(value[index], depth);
      if (defect) {
        defect.keys.push(index);
        return defect;
      }
    }
    return null;
  }
  for (const key of Object.keys(value)) {
    const member: unknown = membersOf(value)[key];
    const defect = isDangerous(key, member) ? dangerousKey() : defectOf(member, depth);
    if (defect) {
      defect.keys.push(key);
      return defect;
    }
  }
  return null;
}

function defectOf(member: unknown, depth: number): Defect | null {
  if (typeof member === 'object' && member !== null) {
    return defectIn(member, depth + 1);
  }
  if (typeof member === 'number' && !Number.isFinite(member)) {
    return { keys: [], expected: 'a number', received: 'one that is too large' };
  }
  return null;
}

/** JSON makes `__proto__` a member like any other; a careless copy makes it the prototype. */
function isDangerous(key: string, member: unknown): boolean {
  return key === '__proto__' || ((key === 'constructor' || key === 'prototype') && typeof member === 'object');
}

function dangerousKey(): Defect {
  return { keys: [], expected: 'no field of this name', received: 'one' };
}
