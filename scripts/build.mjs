// dist/ is what ships: two entries in few files, since a process that loads few files starts sooner. Types come from tsc.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { examplesFrom, exchangeFiles } from './exchanges.mjs';

rmSync('dist', { recursive: true, force: true });
await build({
  entryPoints: ['src/cli.ts', 'src/index.ts'],
  outdir: 'dist',
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  // Its CommonJS form asks for its own files in a way that no bundler sees through.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  legalComments: 'linked',
  logLevel: 'warning',
  // What the bundled CommonJS packages ask Node for at run time.
  banner: {
    js: "import { createRequire as createRequireHere } from 'node:module'; const require = createRequireHere(import.meta.url);",
  },
});

// The API reference shows the document with Swagger UI, without its maps.
const swagger = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
mkdirSync('dist/assets/docs', { recursive: true });
for (const name of ['swagger-ui-bundle.js', 'swagger-ui-bundle.js.LICENSE.txt', 'LICENSE', 'NOTICE']) {
  copyFileSync(join(swagger, name), join('dist/assets/docs', name));
}
const styles = readFileSync(join(swagger, 'swagger-ui.css'), 'utf8');
writeFileSync('dist/assets/docs/swagger-ui.css', styles.replace(/\n\/\*# sourceMappingURL=\S+$/, ''));

// The examples of the OpenAPI document are the exchanges that the tests hold the sandbox to. Those of the control API begin
// with calls that others show better, so they come last.
const files = exchangeFiles().sort((a, b) => Number(isControl(a)) - Number(isControl(b)));
writeFileSync('dist/assets/examples.json', JSON.stringify(examplesFrom(files)));

function isControl(file) {
  return /^(control-|webhooks)/.test(file);
}
