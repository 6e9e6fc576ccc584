import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { build } from 'esbuild';

const FOLDER = 'dist/assets/console';

/**
 * Builds the files of the browser: the first script, screens that are fetched when they are opened, a style sheet and an icon; and
 * the scripts and style sheets of the guide and the API reference. Each name contains a hash of the content, so that browsers can
 * cache the files for ever; entry.json names the first files of the console.
 */
export async function buildConsole() {
  const { metafile } = await build({
    entryPoints: {
      console: 'src/console/main.tsx',
      worker: 'src/console/stream-worker.ts',
      style: 'src/console/styles/console.css',
      guide: 'src/console/guide/main.tsx',
      'guide-style': 'src/console/styles/guide.css',
      reference: 'src/console/reference/main.tsx',
      'reference-style': 'src/console/styles/reference.css',
      icon: 'assets/icon.svg',
    },
    outdir: FOLDER,
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    assetNames: '[name]-[hash]',
    loader: { '.svg': 'copy' },
    bundle: true,
    splitting: true,
    // Otherwise the names would depend on the real paths of the libraries.
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
  const outputs = Object.entries(metafile.outputs);
  const outputOf = (source) => basename(outputs.find(([, { entryPoint }]) => entryPoint === source)?.[0] ?? source);
  const icon = basename(outputs.find(([path]) => path.endsWith('.svg'))?.[0] ?? '');
  const entry = {
    script: outputOf('src/console/main.tsx'),
    worker: outputOf('src/console/stream-worker.ts'),
    style: outputOf('src/console/styles/console.css'),
    icon,
  };
  writeFileSync(`${FOLDER}/entry.json`, JSON.stringify(entry));
  const filesOf = (place) => ({
    script: outputOf(`src/console/${place}/main.tsx`),
    style: outputOf(`src/console/styles/${place}.css`),
    icon,
  });
  return { inputs: metafile.inputs, guide: filesOf('guide'), reference: filesOf('reference') };
}
