import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { COMMANDS } from '../../src/cli/commands/commands.ts';

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
/** Commands that are not in the table are defined by the program itself. */
const COMMAND_NAMES = new Set([...COMMANDS.map(({ name }) => name), 'start', 'demo', 'completion']);
const MAX_WORDS = 1100;
/** For pages outside docs/, which may have an overview beside their task. */
const MAX_WORDS_OF_FIRST_PAGES = 1400;
/** All pages of docs/ together, except for the generated settings. Otherwise every page would grow to its limit. */
const MAX_WORDS_OF_DOCS = 18_000;

/** The text of a page without its blocks of code. */
function proseOf(page: string): string {
  return readFileSync(page, 'utf8').replace(/```.*?```/gs, '');
}

function blocksOf(page: string, language: string): string[] {
  const blocks = readFileSync(page, 'utf8').matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'));
  return [...blocks].map(([, text = '']) => text);
}

function wordsOf(page: string): number {
  return readFileSync(page, 'utf8').trim().split(/\s+/).length;
}

/** The anchors of headings, as GitHub names them. */
function headingsOf(page: string): string[] {
  return [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\d\s-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe.each(PAGES)('%s', (page) => {
  it('links only to existing pages and headings', () => {
    const links = [...proseOf(page).matchAll(/\]\((?!https?:)([^)\s]*)\)/g)].map(([, link = '']) => link);
    const broken = links.filter((link) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? page : join(dirname(page), path);
      return !existsSync(target) || (anchor !== undefined && !headingsOf(target).includes(anchor));
    });
    expect(broken).toEqual([]);
  });

  it('names only existing files', () => {
    const paths = [...proseOf(page).matchAll(/`((?:src|test|scripts|fixtures|schemas|docs|migrations)\/[\w./-]*)`/g)];
    expect(paths.map(([, path = '']) => path).filter((path) => !existsSync(path))).toEqual([]);
  });

  it('shows only existing commands', () => {
    const text = readFileSync(page, 'utf8');
    const run = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name);
    expect(run.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
    const commands = [...text.matchAll(/^\s*npx merchant-sandbox ([a-z][\w-]*)/gm)].map(([, name = '']) => name);
    expect(commands.filter((name) => !COMMAND_NAMES.has(name))).toEqual([]);
  });

  it('has JSON that can be pasted, and shows the code of examples unchanged', () => {
    for (const block of blocksOf(page, 'json\\w*')) {
      expect(() => JSON.parse(block)).not.toThrow();
    }
    const examples = readFileSync(page, 'utf8').matchAll(
      /<!-- (test\/examples\/\S+) -->\n```(?:js|ts|python)\n(.*?)```/gs,
    );
    for (const [, file = '', text] of examples) {
      expect(readFileSync(file, 'utf8')).toBe(text);
    }
  });
});

it.each(PAGES)('%s is short enough to be read', (page) => {
  const maxWords = page.startsWith('docs/') ? MAX_WORDS : MAX_WORDS_OF_FIRST_PAGES;
  expect(wordsOf(page)).toBeLessThanOrEqual(maxWords);
});

it('all pages of docs together are short enough', () => {
  const pages = PAGES.filter((page) => page.startsWith('docs/') && page !== 'docs/settings.md');
  const total = pages.reduce((sum, page) => sum + wordsOf(page), 0);
  expect(total).toBeLessThanOrEqual(MAX_WORDS_OF_DOCS);
});

it('the glossary has one row for each of at most thirty terms, in order', () => {
  const rows = readFileSync('docs/glossary.md', 'utf8').matchAll(/^\| ([a-z ]+) \| /gm);
  const terms = [...rows].map(([, term]) => term).slice(1);
  expect(terms).toEqual([...new Set(terms)].toSorted());
  expect(terms.length).toBeLessThanOrEqual(30);
});

it('every page of docs is in its table of contents', () => {
  const contents = readFileSync('docs/README.md', 'utf8');
  const missing = PAGES.filter((page) => page.startsWith('docs/') && page !== 'docs/README.md').filter(
    (page) => !contents.includes(`](${page.slice('docs/'.length)})`),
  );
  expect(missing).toEqual([]);
});

it.each([
  ['README.md', 'test/examples/jest/checkout.test.js'],
  ['docs/webhooks.md', 'test/examples/webhook-receiver.mjs'],
])('%s shows the code of %s', (page, file) => {
  expect(readFileSync(page, 'utf8')).toContain(`<!-- ${file} -->`);
});
