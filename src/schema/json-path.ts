/** The JSON path of a member (or of an entry, by its index): `$.a`, `$.a[0]`, `$["odd name"]`. A long name is cut. */
export function memberPath(path: string, key: string | number): string {
  if (typeof key === 'number') {
    return `${path}[${key}]`;
  }
  const name = key.slice(0, 60);
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`;
}
