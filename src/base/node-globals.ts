/** Globals of Node.js that this package uses. Test environments that imitate a browser omit some of them. */
const NEEDED = [
  'AbortController',
  'AbortSignal',
  'Buffer',
  'Headers',
  'Request',
  'Response',
  'TextDecoder',
  'TextEncoder',
  'URL',
  'URLSearchParams',
  'fetch',
  'performance',
  'process',
  'queueMicrotask',
  'setImmediate',
];

/** Throws TypeError if a test runner has removed globals of Node.js, because otherwise loading would fail without a hint. */
export function assertNodeGlobals(globals: object = globalThis): void {
  const missing = NEEDED.filter((name) => Reflect.get(globals, name) === undefined);
  if (missing.length > 0) {
    const words = missing.length === 1 ? `${missing[0]} is missing` : `${missing.join(', ')} are missing`;
    throw new TypeError(
      `${words}: run this file in the Node environment (in Jest, @jest-environment node; in Vitest, @vitest-environment node)`,
    );
  }
}
