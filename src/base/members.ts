export type Members = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object: neither a list nor null. */
export function isMembers(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function membersOf(value: unknown): Members {
  return isMembers(value) ? value : {};
}

/** A member by a name that a user chose; undefined for inherited members such as `constructor`. */
export function ownMember<Value>(members: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

/** The names in one of the sandbox's own tables, whose type lists them all. */
export function namesIn<Name extends string>(table: Readonly<Partial<Record<Name, unknown>>>): Name[] {
  return Object.keys(table) as Name[];
}

export function isNameIn<Table extends object>(table: Table, name: string): name is keyof Table & string {
  return Object.hasOwn(table, name);
}
