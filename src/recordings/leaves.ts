import { isMembers } from '../base/members.ts';
import type { RecordedCall } from '../base/schema/recordings.ts';

/** A value in JSON that is neither an object nor a list, with the name of its member. An item of a list has the name of the list. */
export interface Leaf {
  name: string;
  value: unknown;
}

/** All leaves of a JSON value. */
export function* leavesOf(value: unknown, name = ''): Generator<Leaf> {
  if (Array.isArray(value)) {
    for (const each of value) {
      yield* leavesOf(each, name);
    }
  } else if (isMembers(value)) {
    for (const [member, each] of Object.entries(value)) {
      yield* leavesOf(each, member);
    }
  } else {
    yield { name, value };
  }
}

/** A copy of a JSON value with each leaf replaced. */
export function mapLeaves(value: unknown, change: (leaf: Leaf) => unknown, name = ''): unknown {
  if (Array.isArray(value)) {
    return value.map((each) => mapLeaves(each, change, name));
  }
  if (isMembers(value)) {
    // Not by assignment: a member may be called __proto__.
    return Object.fromEntries(Object.entries(value).map(([member, each]) => [member, mapLeaves(each, change, member)]));
  }
  return change({ name, value });
}

/** The leaves in the query and body of a call. */
export function* sentLeavesOf({ target, body }: Pick<RecordedCall, 'target' | 'body'>): Generator<Leaf> {
  const at = target.indexOf('?');
  for (const [name, value] of new URLSearchParams(at === -1 ? '' : target.slice(at))) {
    yield { name, value };
  }
  if (body && 'json' in body) {
    yield* leavesOf(body.json);
  } else if (body && 'form' in body) {
    for (const part of body.form) {
      if ('value' in part) {
        yield { name: part.name, value: part.value };
      }
    }
  }
}
