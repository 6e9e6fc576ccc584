import { readdirSync } from 'node:fs';
import { build } from 'esbuild';

const SCRIPTS = new URL('../../scripts/', import.meta.url);

// Most scripts take too long for a test, and their types are not checked.
it('every script finds what it imports from another', async () => {
  const files = readdirSync(SCRIPTS, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.mjs'));
  expect(files.length).toBeGreaterThan(10);
  const { errors, warnings } = await build({
    entryPoints: files.map((name) => `scripts/${name}`),
    bundle: true,
    write: false,
    outdir: 'made-nowhere',
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'silent',
  }).catch((error) => error);
  expect([errors, warnings]).toEqual([[], []]);
});
