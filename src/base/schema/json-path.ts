/** The JSON path of a member (or of an entry, by its index): `$.a`, `$.a[0]`, `$["odd name"]`. A long name is cut. */
export function memberPath(path: string, key: string | number): string {
  if (typeof key === 'number') {
    return `${path}[${key}]`;
  }
  const name = key.slice(0, 60);
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`;
}

/** The names and indexes in a path: `$.a[0]["odd name"]` → a, 0, odd name. */
export function keysIn(path: string): string[] {
  const parts = path.matchAll(/\.([A-Za-z_$][\w$]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/g);
  return [...parts].map(([, plain, index, odd]) => plain ?? index ?? String(JSON.parse(odd ?? '""')));
}

export function valueAt(value: unknown, path: string): unknown {
  let current = value;
  for (const key of keysIn(path)) {
    current = memberOf(current, key);
  }
  return current;
}

/** A JSON pointer into a value as a JSON path: "/a/0/b" → "$.a[0].b". */
export function toPath(pointer: string, value: unknown): string {
  let path = '$';
  let current = value;
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    path = Array.isArray(current) ? `${path}[${key}]` : memberPath(path, key);
    current = memberOf(current, key);
  }
  return path;
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
