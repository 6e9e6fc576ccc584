/** A member by a name that a user chose; undefined where the object has none of its own, as of `constructor`. */
export function ownMember<Value>(members: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}
