// node generate.mjs <document> <folder>: generates the clients of both generators.
import { readFileSync, writeFileSync } from 'node:fs';
import { register } from 'node:module';
import { join } from 'node:path';

register('./compiler.mjs', import.meta.url);
const { default: typescript } = await import('typescript');
const { default: openapiTypescript, astToString } = await import('openapi-typescript');
const { createClient } = await import('@hey-api/openapi-ts');

const [input, folder] = process.argv.slice(2);
const blob = typescript.factory.createTypeReferenceNode('Blob');
const nodes = await openapiTypescript(JSON.parse(readFileSync(input, 'utf8')), {
  // A file is a Blob, as in the generator's documentation.
  transform: ({ format }) => (format === 'binary' ? blob : undefined),
});
writeFileSync(join(folder, 'schema.ts'), astToString(nodes));
await createClient({
  input,
  output: { path: join(folder, 'hey-api'), module: { extension: '.ts' } },
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
  logs: { level: 'silent' },
});
