/** A value as code of a test has it: members without quotes, texts in single ones. */
export function toSource(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map(toSource).join(', ')}]`;
  }
  if (typeof value === 'object' && value !== null) {
    return `{ ${Object.entries(value)
      .map(([name, member]) => `${name}: ${toSource(member)}`)
      .join(', ')} }`;
  }
  return typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : String(value);
}

/** The line that lets a session follow a rule. */
export function useRulesLine(rule: object): string {
  return `await session.useRules([${toSource(rule)}]);`;
}
