import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** Relative imports in a declaration file. */
const RELATIVE = /(\bfrom\s*|\bimport\()(['"])(\.{1,2}\/[^'"]+)\.(?:js|tsx?)\2/g;

/**
 * Writes the types of the library: those of each entry and of all files that it imports, once for `import` and once for `require`,
 * which needs separate files.
 *
 * @param {readonly string[]} entries files in dist/, without their extension
 */
export function writeDeclarations(entries) {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-types-'));
  try {
    const { status } = spawnSync(
      process.execPath,
      ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--outDir', folder],
      { stdio: 'inherit' },
    );
    if (status !== 0) {
      throw new Error('the types could not be written');
    }
    const waiting = entries.map((entry) => `${entry}.d.ts`);
    for (const file of waiting) {
      const text = withTabs(readFileSync(join(folder, file), 'utf8'));
      mkdirSync(dirname(join('dist', file)), { recursive: true });
      writeFileSync(join('dist', file), text.replace(RELATIVE, '$1$2$3.js$2'));
      writeFileSync(join('dist', file.replace(/\.ts$/, '.cts')), commonDeclaration(file, text));
      for (const [, , , path = ''] of text.matchAll(RELATIVE)) {
        const named = `${join(dirname(file), path)}.d.ts`;
        if (!waiting.includes(named)) {
          waiting.push(named);
        }
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The compiler indents by four spaces, which are 40 kB of the package. */
function withTabs(text) {
  return text.replace(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4));
}

/** The generated types of schemas import nothing, so `require` can use the same file, which saves space. */
function commonDeclaration(file, text) {
  const module = `./${basename(file).replace(/\.d\.ts$/, '.js')}`;
  return file.startsWith('base/schema/')
    ? `export type * from '${module}' with { 'resolution-mode': 'import' };\n`
    : text.replace(RELATIVE, '$1$2$3.cjs$2');
}
