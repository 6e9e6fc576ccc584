import { writeFileSync } from 'node:fs';
import { minify } from '@swc/core';
import { build, transform } from 'esbuild';
import {
  lazyRequires,
  migrationsInSql,
  nameOfSeparateFile,
  separateFiles,
  smallTables,
  stubs,
} from './bundled-libraries.mjs';

/**
 * Code that a start does not need, and large libraries, are in separate files that are loaded on demand. The key is the path or
 * library that the sources import; the value is the module to bundle.
 */
const SEPARATE_FILES = {
  'src/cli/mcp/serve-tools.ts': 'src/cli/mcp/serve-tools.ts',
  'src/demo/week/week.ts': 'src/demo/week/week.ts',
  'src/server/http/tls/certificates.ts': 'src/server/http/tls/certificates.ts',
  'src/base/schema/ajv.ts': 'src/base/schema/ajv.ts',
  // Separate because several of the files use it.
  'big.js': 'big.js/big.js',
  commander: 'commander',
  express: 'express',
  'fast-jwt': 'fast-jwt',
  // The variant of Handlebars for Node.js also contains the compiler of templates.
  handlebars: 'handlebars/dist/cjs/handlebars.js',
  'ipaddr.js': 'ipaddr.js',
  multer: 'multer',
  negotiator: 'negotiator',
  qrcode: 'qrcode',
  'node-pg-migrate': 'node-pg-migrate',
  pg: 'pg',
  pino: 'pino',
  'pino-pretty': 'pino-pretty',
  re2js: 're2js',
  standardwebhooks: 'standardwebhooks',
};

/** @satisfies {import('esbuild').TransformOptions} */
const OUTPUT_OPTIONS = /** @type {const} */ ({
  target: 'node20',
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 500,
  legalComments: 'none',
});

/**
 * Bundles the program.
 *
 * @param {string} folder
 * @param {import('esbuild').Plugin[]} [plugins] plugins that run before the usual ones
 */
export async function bundleProgram(folder, plugins = []) {
  /** @satisfies {import('esbuild').BuildOptions} */
  const options = {
    ...OUTPUT_OPTIONS,
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    // Unused code is removed from ES modules, but not from CommonJS.
    mainFields: ['module', 'main'],
    format: 'cjs',
    // Jest's CommonJS has no import().
    supported: { 'dynamic-import': false },
    jsx: 'automatic',
    jsxImportSource: 'preact',
    plugins: [
      ...plugins,
      lazyRequires,
      smallTables,
      migrationsInSql,
      stubs,
      separateFiles(Object.keys(SEPARATE_FILES)),
    ],
    define: { 'import.meta.url': 'fileAddress' },
    banner: { js: "const fileAddress = require('node:url').pathToFileURL(__filename).href;" },
    logLevel: 'warning',
    metafile: true,
  };
  const [main, separate] = await Promise.all([
    build({ ...options, entryPoints: [{ in: 'src/cli/entry-point.ts', out: 'sandbox' }], write: false }),
    build({
      ...options,
      entryPoints: Object.entries(SEPARATE_FILES).map(([name, source]) => ({
        in: source,
        out: nameOfSeparateFile(name),
      })),
      minifyIdentifiers: true,
    }),
  ]);
  for (const { path, text } of main.outputFiles) {
    writeFileSync(path, await withShortVariables(text));
  }
  return { inputs: { ...main.metafile.inputs, ...separate.metafile.inputs } };
}

/**
 * Keeps the names of our functions and classes, so that stack traces are readable, and shortens those of variables. The other bundles
 * contain mainly libraries, whose names are not needed.
 *
 * @param {string} code
 */
async function withShortVariables(code) {
  const { code: short } = await minify(code, {
    compress: false,
    mangle: { keep_fnames: true, keep_classnames: true, toplevel: true },
    ecma: 2022,
    module: false,
  });
  // Each module is initialised by a function with the path of its file, which only a profiler needs.
  const unnamed = short.replace(/"src\/[^"]+"\(\)\{/g, 'init(){');
  return (await transform(unnamed, OUTPUT_OPTIONS)).code;
}
