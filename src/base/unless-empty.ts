/**
 * A setting as it was given; undefined where it is empty. Compose files, CI and scripts pass on a variable that nobody set as an empty
 * text, and an empty token would be one that everybody knows.
 */
export function unlessEmpty<Value>(value: Value): NonNullable<Value> | undefined {
  const isEmpty = typeof value === 'string' && value.trim() === '';
  return isEmpty ? undefined : (value ?? undefined);
}
