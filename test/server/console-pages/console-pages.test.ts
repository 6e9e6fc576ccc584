import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import request from 'supertest';
import { BUILT_ASSETS } from '../../../src/base/package.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';

/** Maximum size of the compressed script of the first screen. */
const MAX_BYTES = 60_000;

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const open = (path: string) => request(sandbox.url).get(path);

/** The addresses of the files that a page loads at its start. */
async function filesLoadedBy(path: string): Promise<string[]> {
  const { text } = await open(path);
  const addresses = [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, address = '']) => address);
  return addresses.map((address) => new URL(address, `${sandbox.url}${path}`).pathname);
}

describe('the console', () => {
  it.each(['/_sandbox/console/payments', '/s/none/_sandbox/console/payments/payment-1'])(
    'is one page at %s, and its files exist',
    async (path) => {
      const files = await filesLoadedBy(path);
      expect(files).toHaveLength(3);
      for (const file of files) {
        const { status, headers } = await open(file);
        expect([file, status]).toEqual([file, 200]);
        expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
        expect(headers['x-content-type-options']).toBe('nosniff');
      }
    },
  );

  it('runs no inline or external script, and is shown in no frame', async () => {
    const { headers, text } = await open('/_sandbox/console/payments');
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
    );
    expect(headers['cache-control']).toBe('no-cache');
    expect(text).not.toMatch(/<script>|<style|style="|https?:/);
  });

  it(`has at most ${MAX_BYTES} bytes of compressed script`, async () => {
    const script = (await filesLoadedBy('/_sandbox/console/overview')).find((file) => file.endsWith('.js')) ?? '';
    const folder = `${BUILT_ASSETS}console/`;
    const read = (name: string) => readFileSync(`${folder}${name}`, 'utf8');
    const first = script.replace(/.*\//, '');
    const loaded = new Set([first]);
    for (const name of loaded) {
      for (const [, imported = ''] of read(name).matchAll(/(?:from|^import|;import)\s*"\.\/([^"]+)"/g)) {
        loaded.add(imported);
      }
    }
    const bytes = [...loaded].reduce((sum, name) => sum + gzipSync(read(name)).length, 0);
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThan(MAX_BYTES);
  });

  it('can be opened with the token at each of its addresses, and shows no data without it', async () => {
    const guarded = await startSandbox({ host: '0.0.0.0', controlToken: 'a-token' });
    const browser = request.agent(guarded.url);
    expect((await browser.get('/_sandbox/console/payments')).status).toBe(200);
    expect((await browser.get('/_sandbox/payments')).status).toBe(401);
    for (const base of ['', '/s/shop']) {
      for (const [page, target] of [
        ['', '/console/overview'],
        ['/', '/console/overview'],
        ['/console', '/console/overview'],
        ['/console/', '/console/overview'],
        ['/console/payments', '/console/payments'],
        ['/console/payments/payment-1', '/console/payments/payment-1'],
        ['/docs', '/docs'],
      ]) {
        const newBrowser = request.agent(guarded.url);
        const { status, redirects } = await newBrowser
          .get(`${base}/_sandbox${page}?token=a-token`)
          .set('Accept', 'text/html')
          .redirects(9);
        expect([page, status, redirects.at(-1)]).toEqual([page, 200, `${guarded.url}${base}/_sandbox${target}`]);
        expect([page, (await newBrowser.get('/_sandbox/payments')).status]).toEqual([page, 200]);
      }
    }
    await guarded.close();
  });

  it.each(['//elsewhere.test', '../payments', 'https://elsewhere.test', 'a/../../b', ''])(
    'opens its first screen instead of the invalid screen %j',
    async (screen) => {
      const { headers } = await open(`/_sandbox/?screen=${encodeURIComponent(screen)}`).set('Accept', 'text/html');
      expect(headers['location']).toBe('console/');
    },
  );

  it('serves only its own files, and does not accept POST', async () => {
    for (const path of ['nothing.js', '..%2Fexamples.json.gz', '..%2f..%2fcli.js', '%00']) {
      expect([path, (await open(`/_sandbox/console/assets/${path}`)).status]).toEqual([path, 404]);
    }
    expect((await request(sandbox.url).post('/_sandbox/console/payments')).status).toBe(405);
    expect((await open('/_sandbox/console/a/b/c')).status).toBe(404);
  });
});
