import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { useSandbox } from '../../src/test-kit/jest.ts';
import { pay } from '../server/payer-pages/visits.ts';
import { temporaryFolders } from '../temporary-folder.ts';
import { HooksOfFile } from './hooks.ts';

const temporaryFolder = temporaryFolders();

/** Simulates Bun; a test that needs the global `Bun` sets it. */
beforeEach(() => Object.defineProperty(process.versions, 'bun', { value: '1.4.5', configurable: true }));
afterEach(() => {
  Reflect.deleteProperty(process.versions, 'bun');
  Reflect.deleteProperty(globalThis, 'Bun');
});

describe('the kit for Jest in Bun', () => {
  it('names the hooks to pass, but no module, because requiring one removes the globals of Bun', () => {
    expect(() => useSandbox({}, {})).toThrow(
      'in a test file that Bun runs, and pass the hooks: useSandbox({}, { beforeAll, beforeEach, afterEach, afterAll })',
    );
  });

  it('stores the coverage of each of several files in one process', async () => {
    const coverage = temporaryFolder();
    for (const name of ['cart.test.ts', 'checkout.test.ts']) {
      Reflect.set(globalThis, 'Bun', { main: join(process.cwd(), 'shop', name) });
      const hooks = new HooksOfFile();
      const session = useSandbox({ coverage }, hooks);
      await hooks.runTests(async () => {
        await pay(session);
      });
    }
    expect(readdirSync(coverage).sort()).toEqual([
      expect.stringMatching(/^shop-cart\.test\.ts-\w+\.json$/),
      expect.stringMatching(/^shop-checkout\.test\.ts-\w+\.json$/),
    ]);
  });
});
