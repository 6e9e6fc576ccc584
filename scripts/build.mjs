// Builds dist/, which contains every library: an install fetches only this package, and a process that loads few files starts
// sooner. The code of every start is in one CommonJS bundle; the entry for `import` only names its exports.
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { isBuilt } from './build/built-program.mjs';
import { bundleProgram } from './build/bundle-program.mjs';
import { libraryBeside } from './build/bundled-libraries.mjs';
import { buildConsole } from './build/console.mjs';
import { writeDeclarations } from './build/declarations.mjs';
import { readExplanations, writeExplanations } from './build/explanations.mjs';
import { buildGuide } from './build/guide.mjs';
import { writeLibraries } from './build/libraries.mjs';
import { pageOf } from './build/page.mjs';
import { examplesFrom, exchangeFiles } from './exchanges.mjs';

const require = createRequire(import.meta.url);

if (process.argv.includes('--if-older') && isBuilt()) {
  process.exit();
}

if (process.argv.includes('--announce')) {
  console.log('Building merchant-sandbox, then starting it: about ten seconds.');
}

rmSync('dist', { recursive: true, force: true });
const program = await bundleProgram('dist');
const consoleFiles = await buildConsole();
writeLibraries('dist', { inputs: { ...program.inputs, ...consoleFiles.inputs } });

// By `require`, because `import` would read the whole bundle again to find the names of its exports.
const bundle = "createRequire(import.meta.url)('./sandbox.cjs')";
// Named by a variable, because the compiler would check a module that is required by a literal name.
const built = '../dist/sandbox.cjs';
const names = Object.keys(require(built).library()).sort().join(', ');
const head = "import { createRequire } from 'node:module';\n\n";
// A command starts sooner if Node.js (from 22.8 on) keeps its compiled code. Collecting garbage when the heap has grown by 60 % takes 5 %
// more processor time, but saves a long run a quarter of its memory.
writeFileSync(
  'dist/cli.js',
  `#!/usr/bin/env node
import module, { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';

module.enableCompileCache?.();
setFlagsFromString('--heap-growing-percent=60');
${bundle}.runCommand();
`,
);
chmodSync('dist/cli.js', 0o755);
writeFileSync('dist/index.cjs', "module.exports = require('./sandbox.cjs').library();\n");
writeFileSync('dist/index.js', `${head}export const { ${names} } = ${bundle}.library();\n`);

// The other exports of package.json are small: they use the library in dist/, and the test runner of the user's project.
const { exports: exported } = JSON.parse(readFileSync('package.json', 'utf8'));
const kits = Object.keys(exported).flatMap((path) => /^\.\/([\w-]+)$/.exec(path)?.[1] ?? []);
for (const [format, extension] of /** @type {const} */ ([
  ['esm', '.js'],
  ['cjs', '.cjs'],
])) {
  await build({
    entryPoints: kits.map((kit) => `src/test-kit/${kit}.ts`),
    outdir: 'dist/test-kit',
    outExtension: { '.js': extension },
    bundle: true,
    packages: 'external',
    platform: 'node',
    format,
    splitting: format === 'esm',
    chunkNames: 'shared-[hash]',
    target: 'node20',
    minify: true,
    lineLimit: 500,
    plugins: [libraryBeside(extension)],
    logLevel: 'warning',
  });
}
writeDeclarations(['index', ...kits.map((kit) => `test-kit/${kit}`)]);

const explanations = await readExplanations();
writeExplanations(explanations, 'dist/assets');
buildGuide('dist/assets/guide', explanations, consoleFiles.guide);
writeFileSync('dist/assets/reference.html', referencePage(consoleFiles.reference));

// The examples of the OpenAPI document are the exchanges that tests compare with the sandbox. Those of the control API are last,
// because they begin with calls for which other files have better examples.
const files = exchangeFiles().sort((a, b) => Number(isControl(a)) - Number(isControl(b)));
writeFileSync('dist/assets/examples.json.gz', gzipSync(JSON.stringify(examplesFrom(files)), { level: 9 }));

function isControl(file) {
  return /^(control-|webhooks)/.test(file);
}

/** The page on which the OpenAPI document can be read, searched and tried. */
function referencePage(files) {
  return pageOf({
    title: 'API reference',
    root: '',
    here: 'API reference',
    files,
    body: `<div id="reference"></div>
<noscript>This page needs scripts. What it shows is in <a href="openapi.json">the OpenAPI document</a>.</noscript>`,
  });
}
