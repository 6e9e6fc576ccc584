import { isMembers, type Members, membersOf } from '../../../base/members.ts';

/** The rules of a definition that may be incomplete. */
export function rulesOf(definition: unknown): readonly Members[] {
  const { rules } = membersOf(definition);
  return Array.isArray(rules) ? rules.map(membersOf) : [];
}

/** A member at a path, such as when.amount.minimum; undefined if it is absent. */
export function memberAt(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((part, name) => membersOf(part)[name], value);
}

/** The value with the member at a path set, or removed if it is undefined; an object that this empties is removed, too. */
export function withMember(value: unknown, path: string, member: unknown): Members {
  const [name = '', ...rest] = path.split('.');
  const members = membersOf(value);
  const { [name]: previous, ...others } = members;
  const next = rest.length === 0 ? member : withMember(previous, rest.join('.'), member);
  const isRemoved = next === undefined || (rest.length > 0 && isMembers(next) && Object.keys(next).length === 0);
  // At the same position, because the user compares the text with the previous one.
  const names = name in members ? Object.keys(members) : [...Object.keys(others), name];
  return Object.fromEntries(
    names.flatMap((each) => (each === name ? (isRemoved ? [] : [[each, next]]) : [[each, others[each]]])),
  );
}

export function withRules(definition: unknown, rules: readonly Members[]): Members {
  return withMember(definition, 'rules', rules);
}

/** Members that a kind of fault requires. */
const REQUIRED_FAULT_MEMBERS: Readonly<Record<string, Members>> = {
  latency: { latency: '5s' },
  status: { status: 503 },
};

/** A rule with a choice of the form, and with the members that the sandbox then requires. */
export function withChoice(rule: Members, path: string, choice: string): Members {
  if (path === 'fault') {
    const fault = { at: memberAt(rule, 'fault.at') ?? 'before', kind: choice, ...REQUIRED_FAULT_MEMBERS[choice] };
    return withMember(rule, 'fault', choice === '' ? undefined : fault);
  }
  if (path === 'settle.outcome') {
    const settle = isMembers(rule['settle']) ? rule['settle'] : { after: '3s' };
    return withMember(rule, 'settle', choice === '' ? undefined : { ...settle, outcome: choice });
  }
  return withMember(rule, path, choice === '' ? undefined : choice);
}
