import { assertNodeGlobals } from '../../src/base/node-globals.ts';

const without = (...names: string[]) =>
  Object.fromEntries(
    Object.getOwnPropertyNames(globalThis)
      .filter((name) => !names.includes(name))
      .map((name) => [name, Reflect.get(globalThis, name)]),
  );

describe('the check of the globals of Node.js', () => {
  it('passes in Node.js', () => {
    expect(() => assertNodeGlobals()).not.toThrow();
  });

  it.each([
    [['TextDecoder'], 'TextDecoder is missing: run this file in the Node environment'],
    [['fetch', 'setImmediate'], 'fetch, setImmediate are missing: run this file in the Node environment'],
  ])('names %j if an environment does not have them', (names, words) => {
    expect(() => assertNodeGlobals(without(...names))).toThrow(words);
  });
});
