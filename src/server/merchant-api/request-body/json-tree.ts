import { membersOf } from '../../../base/members.ts';
import { Refusal } from '../../../base/refusal.ts';
import { memberPath } from '../../../base/schema/json-path.ts';

/** Maximum levels of nesting; the body itself is the first. Source: ours. */
const MAX_DEPTH = 32;

interface Fault {
  /** Path to the fault, innermost first, because it is built only while returning from a fault. */
  keys: (string | number)[];
  expected: string;
  received: string;
}

/**
 * Refuses nesting that is too deep, keys that could reach a prototype when somebody copies the value carelessly, and
 * numbers that JSON cannot represent, each by its JSON path. Source: ours.
 */
export function checkTree(value: object): void {
  const fault = faultIn(value, 1);
  if (fault) {
    const { keys, expected, received } = fault;
    const path = keys.reduceRight<string>(memberPath, '$');
    throw new Refusal('malformed-body', `${path}: expected ${expected}, received ${received}`, {
      findings: [{ path, expected, received, severity: 'error' }],
    });
  }
}

function faultIn(value: object, depth: number): Fault | null {
  if (depth > MAX_DEPTH) {
    return { keys: [], expected: `at most ${MAX_DEPTH} levels`, received: 'a body that is more levels deep' };
  }
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const fault = faultOf(value[index], depth);
      if (fault) {
        fault.keys.push(index);
        return fault;
      }
    }
    return null;
  }
  for (const key of Object.keys(value)) {
    const member: unknown = membersOf(value)[key];
    const fault = isDangerous(key, member) ? dangerous() : faultOf(member, depth);
    if (fault) {
      fault.keys.push(key);
      return fault;
    }
  }
  return null;
}

function faultOf(member: unknown, depth: number): Fault | null {
  if (typeof member === 'object' && member !== null) {
    return faultIn(member, depth + 1);
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

function dangerous(): Fault {
  return { keys: [], expected: 'no field of this name', received: 'one' };
}
