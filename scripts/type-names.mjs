// Checks that no two exported types of src/ share a name, because a reader of `Page` would have to look for its import.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatedFiles } from './generated-files.mjs';

const EXPORTED_TYPE = /^export (?:abstract )?(?:interface|type|class) (\w+)/gm;

const generated = generatedFiles();
const files = new Map();
for (const name of readdirSync('src', { recursive: true })) {
  const file = join('src', name);
  if (/\.tsx?$/.test(file)) {
    for (const [, type] of readFileSync(file, 'utf8').matchAll(EXPORTED_TYPE)) {
      files.set(type, [...(files.get(type) ?? []), file]);
    }
  }
}

/** Schemas may define a type twice: as it is stored, and as the API returns it. */
const isRepeated = (declaringFiles) =>
  declaringFiles.length > 1 && !declaringFiles.every((file) => generated.has(file));
const repeated = [...files].filter(([, found]) => isRepeated(found));
for (const [type, found] of repeated) {
  console.error(`type ${type} is exported by ${found.join(' and ')}: give each a distinct name`);
}
process.exitCode = repeated.length === 0 ? 0 : 1;
