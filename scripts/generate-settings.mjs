// Writes the table in docs/settings.md from the flag table, so that the page cannot be out of date. With --check it only compares.
import { readFileSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

const PAGE = 'docs/settings.md';
const BEGIN = '<!-- Generated from src/server/config/settings.ts by `npm run generate`. -->\n';
const END = '<!-- End of the generated table. -->\n';

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

function rowOf({ flag, value, fallback, fallbackText, help }) {
  const name = value === undefined ? `--${flag}` : `--${flag} <${value}>`;
  const isNone = fallback === undefined || fallback === false || fallback.length === 0;
  const shown = isNone ? '' : (fallbackText ?? fallback);
  const meaning = help.replace(/http:\/\/\S*[^\s;,)]/g, (address) => `\`${address}\``).replaceAll('|', '\\|');
  return `| \`${name.replaceAll('|', '\\|')}\` | ${shown} | ${meaning} |\n`;
}

const page = readFileSync(PAGE, 'utf8');
const [before = '', rest = ''] = page.split(BEGIN);
const [, after] = rest.split(END);
if (after === undefined) {
  throw new Error(`${PAGE} has no place for the table`);
}
const rows = (await readFlags()).map(rowOf).join('');
const fresh = `${before}${BEGIN}\n| flag | default | meaning |\n|---|---|---|\n${rows}\n${END}${after}`;
if (fresh !== page && process.argv.includes('--check')) {
  console.error(`${PAGE} does not match the flag table: run npm run generate`);
  process.exit(1);
}
if (fresh !== page) {
  writeFileSync(PAGE, fresh);
}
console.log(fresh === page ? 'the table of settings is fresh' : `wrote ${PAGE}`);
