import request from 'supertest';
import { type Sandbox, startSandbox } from '../../sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const linksOf = (text: string) => [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, address = '']) => address);
const idsOf = (text: string) => new Set([...text.matchAll(/id="([^"]+)"/g)].map(([, id = '']) => id));

describe.each([['/_sandbox/guide/'], ['/s/shop/_sandbox/guide/']])('the guide at %s', (start) => {
  it('leads from its first page to all others, and nowhere to nothing', async () => {
    const pages = new Map<string, string>();
    const waiting = [start];
    const fragments: string[] = [];
    for (const path of waiting) {
      const { status, text, headers } = await request(sandbox.url).get(path).set('accept', 'text/html');
      expect([path, status]).toEqual([path, 200]);
      if (!path.startsWith(start) || path.endsWith('.css')) {
        continue;
      }
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'/);
      pages.set(path, text);
      for (const link of linksOf(text).filter((each) => !/^(https?|data):/.test(each))) {
        const { pathname, hash } = new URL(link, `${sandbox.url}${path}`);
        if (!waiting.includes(pathname)) {
          waiting.push(pathname);
        }
        if (hash !== '') {
          fragments.push(`${pathname}${hash}`);
        }
      }
    }
    expect([...pages.keys()]).toContain(`${start}webhooks`);
    expect(waiting).toContain(`${start.replace('guide', 'console')}payments`);
    for (const fragment of fragments) {
      const [path = '', id = ''] = fragment.split('#');
      expect([fragment, idsOf(pages.get(path) ?? '').has(id)]).toEqual([fragment, true]);
    }
  });
});

it('is found without the slash at its end, too', async () => {
  const { status, headers } = await request(sandbox.url).get('/s/shop/_sandbox/guide');
  expect([status, headers['location']]).toEqual([301, '/s/shop/_sandbox/guide/']);
});

it.each([['nothing'], ['..%2Fconsole%2Fentry'], ['%00']])('has no page %s', async (name) => {
  const { status, body } = await request(sandbox.url).get(`/_sandbox/guide/${name}`);
  expect([status, body.title]).toEqual([404, 'unknown-path']);
});
