/** Bytes that a body may take in the log; of a larger one its beginning is kept. */
export const MOST = 256 * 1024;
/** Characters that are kept of it. */
const BEGINNING = 4096;
/** What a member or an entry takes beside its value. */
const OVERHEAD = 32;

/** About how many bytes of memory a JSON value takes, bytes in it included: rather too many than too few. */
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

/** The value, or of a large one a text: its beginning, as `mask` leaves it, and how large it was. */
export function cutToSize<Value>(value: Value, mask = (beginning: string) => beginning): Value | string {
  if (weigh(value) <= MOST) {
    return value;
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // A copy: a slice would keep all of the text.
  const beginning = Buffer.from(text.slice(0, BEGINNING)).toString();
  return `${mask(beginning)}… (${text.length.toLocaleString('en')} characters in all, cut for the request log)`;
}
