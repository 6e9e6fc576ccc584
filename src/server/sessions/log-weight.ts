/** Bytes of a body that are kept whole; of a larger one, only the beginning. */
export const MOST = 256 * 1024;
const BEGINNING = 4096;
/** Bytes of a member or an entry beside its value. */
const OVERHEAD = 32;

/** Estimated bytes of memory of a JSON value, rather too many than too few. */
export function weigh(value: unknown): number {
  if (typeof value === 'string') {
    return OVERHEAD + value.length * 2;
  }
  if (typeof value !== 'object' || value === null) {
    return OVERHEAD;
  }
  if (value instanceof Uint8Array) {
    return OVERHEAD + value.length;
  }
  let bytes = OVERHEAD;
  if (Array.isArray(value)) {
    for (const entry of value) {
      bytes += weigh(entry);
    }
    return bytes;
  }
  // Every call is weighed: entries would be arrays to throw away.
  for (const name of Object.keys(value)) {
    bytes += name.length + weigh(Reflect.get(value, name));
  }
  return bytes;
}

/** Replaces a large value by its beginning, as `mask` returns it, and its size. */
export function cutToSize<Value>(value: Value, mask = (beginning: string) => beginning): Value | string {
  if (weigh(value) <= MOST) {
    return value;
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // A copy: a slice would keep all of the text.
  const beginning = Buffer.from(text.slice(0, BEGINNING)).toString();
  return `${mask(beginning)}… (${text.length.toLocaleString('en')} characters in all, cut for the request log)`;
}
