import { readdirSync, readFileSync } from 'node:fs';
import { GALLERY, type Shop } from '../../scripts/examine-shops/shops.mjs';

const [MIN_LINES, MAX_LINES] = [50, 150];
const SOURCE = /\.(?:ts|py|php|java|go)$/;
const HEADINGS = ['What it shows', 'How to run it', 'How to examine it'];
/** Lines that are not code in any of these languages. */
const NOT_CODE = /^\s*(?:\/\/.*|\/\*\*.*|\*.*|#.*|""".*"""|import .*|from .* import .*|package .*)?$/;
const GO_IMPORTS = /^import \(.*?^\)$/ms;

const names = GALLERY.map(({ name }: Shop) => name);

it('a shop of the gallery is a folder of examples/, and the index links to it', () => {
  const folders = readdirSync('examples', { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).sort()).toEqual([...names, 'reconciliation', 'storefront'].sort());
  const index = readFileSync('examples/README.md', 'utf8');
  expect(folders.filter(({ name }) => !index.includes(`](${name})`))).toEqual([]);
});

describe.each(names)('the shop in %s', (name) => {
  it('has a README in the form of the others, which examines the command that it runs', () => {
    const text = readFileSync(`examples/${name}/README.md`, 'utf8');
    expect([...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)).toEqual(HEADINGS);
    const [run = '', examine = ''] = [...text.matchAll(/```sh\n(.*)\n```/g)].map(([, line = '']) => line);
    expect(examine).toBe(`npx merchant-sandbox examine ../examine.mjs --command "${run}"`);
  });

  it(`has ${MIN_LINES} to ${MAX_LINES} lines of code in each file`, () => {
    const files = readdirSync(`examples/${name}`).filter((file) => SOURCE.test(file));
    const lines = files.map((file) => {
      const text = readFileSync(`examples/${name}/${file}`, 'utf8').replace(GO_IMPORTS, '');
      return text.split('\n').filter((line) => !NOT_CODE.test(line)).length;
    });
    expect(lines).not.toEqual([]);
    expect(lines.filter((count) => count < MIN_LINES || count > MAX_LINES)).toEqual([]);
  });
});

it.each([
  ...['go', 'java', 'php', 'python', 'storefront', 'typescript'].map((name) => `examples/${name}`),
  ...['jest', 'node-test', 'playwright', 'python', 'vitest'].map((name) => `test/examples/${name}`),
])('the code in %s computes an HMAC, which verifying signatures needs', (folder) => {
  const texts = readdirSync(folder).map((file) => readFileSync(`${folder}/${file}`, 'utf8'));
  expect(texts.join('\n')).toMatch(/hmac/i);
});
