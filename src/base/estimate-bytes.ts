const OVERHEAD_BYTES = 32;

/** Estimated bytes of memory of a JSON value. */
export function estimateBytes(value: unknown): number {
  if (typeof value === 'string') {
    return OVERHEAD_BYTES + value.length * 2;
  }
  if (typeof value !== 'object' || value === null) {
    return OVERHEAD_BYTES;
  }
  if (value instanceof Uint8Array) {
    return OVERHEAD_BYTES + value.length;
  }
  let bytes = OVERHEAD_BYTES;
  if (Array.isArray(value)) {
    for (const entry of value) {
      bytes += estimateBytes(entry);
    }
    return bytes;
  }
  // Without Object.keys or entries, because every call is estimated and the lists would be garbage.
  for (const name in value) {
    bytes += name.length + estimateBytes(Reflect.get(value, name));
  }
  return bytes;
}
