/** A value as JavaScript source in the style of the examples: names without quotes, strings in single quotes. */
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

/** A line for a test: the session then uses this rule. */
export function useRulesLine(rule: object): string {
  return `await session.useRules([${toSource(rule)}]);`;
}
