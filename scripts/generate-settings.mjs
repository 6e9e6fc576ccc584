// Writes the list in docs/settings.md from the flag table, so that the page cannot be out of date. With --check it only compares.
import { readFileSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

const PAGE = 'docs/settings.md';
const BEGIN = '<!-- Generated from src/server/config/settings.ts by `npm run generate`. -->\n';
const END = '<!-- End of the generated list. -->\n';

async function readFlags() {
  const { outputFiles } = await build({
    entryPoints: ['src/server/config/settings.ts'],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
  });
  const code = Buffer.from(outputFiles[0]?.contents ?? '').toString('base64');
  const { FLAGS } = await import(`data:text/javascript;base64,${code}`);
  return FLAGS;
}

function itemOf({ flag, value, fallback, fallbackText, help }) {
  const name = value === undefined ? `--${flag}` : `--${flag} <${value}>`;
  const isNone = fallback === undefined || fallback === false || fallback.length === 0;
  const defaultText = isNone ? '' : ` (default: ${fallbackText ?? fallback})`;
  const meaning = help.replace(/http:\/\/\S*[^\s;,)]/g, (address) => `\`${address}\``);
  return `- \`${name}\`: ${meaning}${defaultText}\n`;
}

const page = readFileSync(PAGE, 'utf8');
const [before = '', rest = ''] = page.split(BEGIN);
const [, after] = rest.split(END);
if (after === undefined) {
  throw new Error(`${PAGE} has no place for the list`);
}
const items = (await readFlags()).map(itemOf).join('');
const fresh = `${before}${BEGIN}\n${items}\n${END}${after}`;
if (fresh !== page && process.argv.includes('--check')) {
  console.error(`${PAGE} does not match the flag table: run npm run generate`);
  process.exit(1);
}
if (fresh !== page) {
  writeFileSync(PAGE, fresh);
}
console.log(fresh === page ? 'the list of settings is fresh' : `wrote ${PAGE}`);
