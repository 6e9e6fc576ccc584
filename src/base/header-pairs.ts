/** Raw headers, which alternate between name and value, as pairs. */
export function headerPairs(headers: readonly string[]): [name: string, value: string][] {
  return headers.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name, headers[index + 1] ?? '']] : [],
  );
}
