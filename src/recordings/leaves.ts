import { isMembers } from '../base/members.ts';
import type { RecordedCall } from '../base/schema/recordings.ts';

/** A value somewhere in JSON, with the name of the member that holds it; a list's items have the name of the list. */
export interface Leaf {
  name: string;
  value: unknown;
}

/** Every value that is neither an object nor a list. */
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

/** JSON with another value in the place of each that is neither an object nor a list. */
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

/** What a call sends in its query and body. */
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
