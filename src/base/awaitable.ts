/** A value or, if something has to be loaded or stored first, a promise of it. Most calls wait for nothing, and promises cost time. */
export type Awaitable<T> = T | Promise<T>;

/** Continues with a value at once, or when its promise resolves. */
export function whenReady<T, Result>(value: Awaitable<T>, work: (value: T) => Awaitable<Result>): Awaitable<Result> {
  return value instanceof Promise ? value.then(work) : work(value);
}
