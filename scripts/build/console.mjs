import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { build } from 'esbuild';

const FOLDER = 'dist/assets/console';

/**
 * Builds what the browser runs: a first script, screens that are fetched when they are opened, a style sheet and an icon. Each
 * name carries a hash of the content, so that browsers may keep the files for ever; entry.json says what to begin with.
 *
 * @returns {Promise<import('esbuild').Metafile>}
 */
export async function buildConsole() {
  const { metafile } = await build({
    entryPoints: {
      console: 'src/console/main.tsx',
      worker: 'src/console/stream-worker.ts',
      style: 'src/console/styles/console.css',
      icon: 'assets/icon.svg',
    },
    outdir: FOLDER,
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    assetNames: '[name]-[hash]',
    loader: { '.svg': 'copy' },
    bundle: true,
    splitting: true,
    // Or the names would depend on where the libraries really lie.
    preserveSymlinks: true,
    platform: 'browser',
    format: 'esm',
    target: ['es2022', 'chrome123', 'firefox121', 'safari17.5'],
    minify: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
  });
  const made = Object.entries(metafile.outputs);
  const madeOf = (source) => basename(made.find(([, { entryPoint }]) => entryPoint === source)?.[0] ?? source);
  const entry = {
    script: madeOf('src/console/main.tsx'),
    worker: madeOf('src/console/stream-worker.ts'),
    style: madeOf('src/console/styles/console.css'),
    icon: basename(made.find(([path]) => path.endsWith('.svg'))?.[0] ?? ''),
  };
  writeFileSync(`${FOLDER}/entry.json`, JSON.stringify(entry));
  return metafile;
}
