/** Globals of Node.js that this package uses, and that environments which imitate a browser leave out. */
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

/** Throws TypeError where a test runner has replaced the globals of Node.js: otherwise loading fails with no hint why. */
export function expectNodeGlobals(globals: object = globalThis): void {
  const missing = NEEDED.filter((name) => Reflect.get(globals, name) === undefined);
  if (missing.length > 0) {
    const words = missing.length === 1 ? `${missing[0]} is missing` : `${missing.join(', ')} are missing`;
    throw new TypeError(
      `${words}: run this file in the Node environment (in Jest, @jest-environment node; in Vitest, @vitest-environment node)`,
    );
  }
}
