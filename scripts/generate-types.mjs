// Types are stated once, as JSON Schemas: this writes src/shapes/*.ts from schemas/. With --check it only compares.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { compile } from 'json-schema-to-typescript';

const FOLDERS = ['requests', 'responses', 'records', 'fixtures', 'control'];
const HEADER = '// Generated from schemas/ by `npm run generate`. Do not edit.\n';
const checkOnly = process.argv.includes('--check');

async function generate(folder) {
  const parts = [];
  for (const file of readdirSync(`schemas/${folder}`).sort()) {
    const schema = JSON.parse(readFileSync(`schemas/${folder}/${file}`, 'utf8'));
    const { $id: _, ...rest } = schema;
    parts.push(
      await compile(rest, schema.title, {
        bannerComment: '',
        cwd: `schemas/${folder}/`,
        declareExternallyReferenced: true,
        format: false,
        maxItems: -1,
      }),
    );
  }
  const formatted = spawnSync('npx', ['biome', 'format', `--stdin-file-path=src/shapes/${folder}.ts`], {
    input: HEADER + parts.join('\n'),
    encoding: 'utf8',
  });
  if (formatted.status !== 0) {
    throw new Error(`formatting ${folder} failed: ${formatted.stderr}`);
  }
  return formatted.stdout;
}

const stale = [];
for (const folder of FOLDERS) {
  const path = `src/shapes/${folder}.ts`;
  const fresh = await generate(folder);
  let present = '';
  try {
    present = readFileSync(path, 'utf8');
  } catch {}
  if (fresh !== present) {
    stale.push(path);
    if (!checkOnly) {
      writeFileSync(path, fresh);
    }
  }
}
if (checkOnly && stale.length > 0) {
  console.error(`${stale.join(', ')} do not match schemas/: run npm run generate`);
  process.exit(1);
}
console.log(stale.length > 0 ? `wrote ${stale.join(', ')}` : 'types are fresh');
