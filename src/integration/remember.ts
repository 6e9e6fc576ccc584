/** References and tokens that one memory has at most. */
const MOST_REMEMBERED = 10_000;

/** Keeps a value as the newest one; of too many the oldest is forgotten. */
export function remember<Value>(memory: Map<string, Value>, key: string, value: Value): void {
  memory.delete(key);
  memory.set(key, value);
  const [oldest] = memory.keys();
  if (memory.size > MOST_REMEMBERED && oldest !== undefined) {
    memory.delete(oldest);
  }
}
