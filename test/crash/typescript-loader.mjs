// Lets a child process of a test run TypeScript without a build: `node --import <this file> child.ts`.
import { readFile } from 'node:fs/promises';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { transform } from '@swc/core';

// Node.js runs the hooks below in a separate thread, for which it loads this file a second time.
if (isMainThread) {
  register(import.meta.url);
}

export async function load(url, context, nextLoad) {
  if (!/\.tsx?$/.test(url)) {
    return nextLoad(url, context);
  }
  const filename = fileURLToPath(url);
  const { code } = await transform(await readFile(filename, 'utf8'), {
    filename,
    swcrc: false,
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', tsx: url.endsWith('x') },
      transform: { react: { runtime: 'automatic', importSource: 'preact' } },
    },
    module: { type: 'es6' },
    sourceMaps: 'inline',
  });
  return { format: 'module', source: code, shortCircuit: true };
}
