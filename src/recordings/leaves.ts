import { isMembers } from '../base/members.ts';
import type { RecordedCall } from '../base/schema/generated/recordings.ts';

/** A value in JSON that is neither an object nor a list, with the name of its member. An item of a list has the name of the list. */
export interface Leaf {
  name: string;
  value: unknown;
}

export function leavesOf(value: unknown): Leaf[] {
  const leaves: Leaf[] = [];
  mapLeaves(value, (leaf) => leaves.push(leaf));
  return leaves;
}

/** A copy of a JSON value with each leaf replaced. */
export function mapLeaves(value: unknown, change: (leaf: Leaf) => unknown, name = ''): unknown {
  if (Array.isArray(value)) {
    return value.map((each) => mapLeaves(each, change, name));
  }
  if (isMembers(value)) {
    // Not built by assignments, because a member may be called __proto__.
    return Object.fromEntries(Object.entries(value).map(([member, each]) => [member, mapLeaves(each, change, member)]));
  }
  return change({ name, value });
}

/** The leaves in the query of a call, and in its body if that is JSON or a form; a URL-encoded body has none. */
export function sentLeavesOf({ target, body }: Pick<RecordedCall, 'target' | 'body'>): Leaf[] {
  const at = target.indexOf('?');
  const query = [...new URLSearchParams(at === -1 ? '' : target.slice(at))].map(([name, value]) => ({ name, value }));
  const parts = body && 'form' in body ? body.form.filter((part) => 'value' in part) : [];
  return [...query, ...(body && 'json' in body ? leavesOf(body.json) : parts)];
}
