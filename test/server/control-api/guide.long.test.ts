import { readFileSync } from 'node:fs';
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
  it('leads from its first page to other pages, the console and the API reference, without broken links', async () => {
    const pages = new Map<string, string>();
    const waiting = [start];
    const fragments: string[] = [];
    for (const path of waiting) {
      const { status, text, headers } = await request(sandbox.url).get(path).redirects(1).set('accept', 'text/html');
      expect([path, status]).toEqual([path, 200]);
      if (!path.startsWith(start) || path.endsWith('.md')) {
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
    expect(waiting).toContain(start.replace('guide', 'console'));
    expect(waiting).toContain(start.replace('guide/', 'docs'));
    expect(waiting).toContain(`${start}webhooks.md`);
    for (const fragment of fragments) {
      const [path = '', id = ''] = fragment.split('#');
      expect([fragment, idsOf(pages.get(path) ?? '').has(id)]).toEqual([fragment, true]);
    }
  });
});

const readAs = async (path: string, encodings: string) => {
  const answer = await fetch(`${sandbox.url}${path}`, { headers: { 'Accept-Encoding': encodings } });
  return { answer, text: await answer.text() };
};

it.each(['/_sandbox/guide/webhooks', '/_sandbox/guide/index.md', '/_sandbox/guide/search.json'])(
  'the guide sends %s compressed to clients that accept it, and uncompressed to others',
  async (path) => {
    const packed = await readAs(path, 'gzip, br');
    const plain = await readAs(path, 'identity');
    const refused = await readAs(path, 'gzip;q=0');
    expect(packed.answer.headers.get('content-encoding')).toBe('gzip');
    expect(plain.answer.headers.get('content-encoding')).toBeNull();
    expect([plain.text, refused.text]).toEqual([packed.text, packed.text]);
    expect(packed.answer.headers.get('vary')).toBe('Accept-Encoding');
    expect(plain.answer.headers.get('vary')).toBe('Accept-Encoding');
  },
);

it('the guide sends a Markdown page from docs/ if the build does not change it', async () => {
  const { answer, text } = await readAs('/_sandbox/guide/webhooks.md', 'gzip');
  expect(answer.headers.get('content-encoding')).toBeNull();
  expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
  expect(text).toBe(readFileSync('docs/webhooks.md', 'utf8'));
});

describe('the guide for programs', () => {
  /** Targets of the links in a Markdown text, without its code. */
  const targetsIn = (text: string) => {
    const prose = text.replace(/^```.*?^```/gms, '').replace(/`[^`]*`/g, '');
    return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  };

  it('is listed in llms.txt with descriptions, and has each page as Markdown with working links', async () => {
    const { text: list, headers } = await request(sandbox.url).get('/s/shop/_sandbox/llms.txt').redirects(1);
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(list).toMatch(/^# merchant-sandbox\n\n> A local stand-in for .+\n\n/);
    expect(list).toContain('- [Webhooks](webhooks.md): endpoints, signatures, retries');
    expect(list.split('\n').filter((line) => !/^(#.*|> .*|- \[.+\]\(\S+\): .+|It runs on .*|)$/.test(line))).toEqual(
      [],
    );
    const waiting = ['/s/shop/_sandbox/guide/llms.txt'];
    for (const path of waiting) {
      const { status, text, type } = await request(sandbox.url).get(path);
      expect([path, status]).toEqual([path, 200]);
      if (path.endsWith('.md')) {
        expect([path, type]).toEqual([path, 'text/markdown']);
      } else if (!path.endsWith('.txt')) {
        continue;
      }
      for (const target of targetsIn(text).filter((each) => !/^(https?:|#)/.test(each))) {
        const { pathname } = new URL(target, `${sandbox.url}${path}`);
        expect([path, target]).toEqual([path, expect.stringMatching(/\.md(#.*)?$|^\.\.\/openapi\.json$/)]);
        if (!waiting.includes(pathname)) {
          waiting.push(pathname);
        }
      }
    }
    expect(waiting.filter((path) => path.endsWith('.md')).length).toBeGreaterThan(100);
  });

  it('is linked on the first page of the guide', async () => {
    const { text } = await request(sandbox.url).get('/_sandbox/guide/');
    expect(text).toContain('<link rel="alternate" type="text/markdown" href="index.md">');
  });
});

it('the address of the guide without the final slash redirects to the guide', async () => {
  const { status, headers } = await request(sandbox.url).get('/s/shop/_sandbox/guide');
  expect([status, headers['location']]).toEqual([303, 'guide/']);
});

it.each([['nothing'], ['nothing.md'], ['webhooks.md.gz'], ['../examples.json'], ['..%2Fconsole%2Fentry'], ['%00']])(
  'the guide has no page %s',
  async (name) => {
    const { status, body } = await request(sandbox.url).get(`/_sandbox/guide/${name}`);
    expect([status, body.title]).toEqual([404, 'unknown-path']);
  },
);
