// Types are defined once, as JSON Schemas: this writes src/base/schema/generated/*.ts from schemas/,
// and the names of scenarios and behaviours from fixtures/. With --check it only compares.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { compile } from 'json-schema-to-typescript';

/** A folder may refer to the schemas of those before it; their types are imported from there. */
const FOLDERS = ['requests', 'responses', 'fixtures', 'records', 'control', 'histories', 'recordings', 'adapters'];
const HEADER = '// Generated from schemas/ by `npm run generate`. Do not edit.\n';
/** Before a declaration and its comment, if it has one. */
const BETWEEN_DECLARATIONS = /(?<! \*\/)\n+(?=(?:\/\*\*\n(?: \*[^\n]*\n)+)?export (?:interface|type) )/;
const checkOnly = process.argv.includes('--check');

/** By the name of a type: the folder that declares it, and its declaration. */
const shared = new Map();

/** One file of types per folder. A definition that schemas share by $ref is declared once. */
async function generate(folder) {
  const parts = [];
  const imported = new Map();
  const declaredBy = new Map();
  for (const file of readdirSync(`schemas/${folder}`).sort()) {
    const schema = JSON.parse(readFileSync(`schemas/${folder}/${file}`, 'utf8'));
    const { $id: _, ...rest } = schema;
    const text = await compile(rest, schema.title, {
      bannerComment: '',
      cwd: `schemas/${folder}/`,
      declareExternallyReferenced: true,
      format: false,
      maxItems: -1,
    });
    for (const declaration of text.trim().split(BETWEEN_DECLARATIONS)) {
      const name = /^export (?:interface|type) (\w+)/m.exec(declaration)?.[1];
      const other = declaredBy.get(name);
      const elsewhere = shared.get(name);
      if (elsewhere?.declaration === declaration) {
        imported.set(name, elsewhere.folder);
      } else if (!other) {
        declaredBy.set(name, { declaration, file });
        parts.push(declaration);
      } else if (other.declaration !== declaration) {
        throw new Error(`${folder}/${other.file} and ${folder}/${file} declare ${name} differently`);
      }
    }
  }
  for (const [name, { declaration }] of declaredBy) {
    if (!shared.has(name)) {
      shared.set(name, { folder, declaration });
    }
  }
  const imports = [...new Set(imported.values())].map((from) => {
    const names = [...imported.keys()].filter((name) => imported.get(name) === from).sort();
    return `import type { ${names.join(', ')} } from './${from}.ts';\n`;
  });
  const exports = imported.size > 0 ? [`\nexport type { ${[...imported.keys()].sort().join(', ')} };`] : [];
  return format(folder, [imports.join(''), ...exports, ...parts]);
}

function format(folder, parts) {
  const { status, stdout, stderr } = spawnSync(
    'npx',
    ['biome', 'format', `--stdin-file-path=src/base/schema/generated/${folder}.ts`],
    {
      input: HEADER + parts.join('\n\n'),
      encoding: 'utf8',
    },
  );
  if (status !== 0) {
    throw new Error(`formatting ${folder} failed: ${stderr}`);
  }
  return stdout;
}

/** The names of shipped scenarios and behaviours, so that editors complete them. */
function shippedNames() {
  const unionOf = (folder) =>
    readdirSync(`fixtures/${folder}`)
      .map((file) => `'${file.replace(/\.json$/, '')}'`)
      .join(' | ');
  return [
    `export type ShippedScenario = ${unionOf('scenarios')};`,
    `export type ShippedBehaviour = ${unionOf('behaviours')};`,
  ];
}

const stale = [];
for (const folder of [...FOLDERS, 'shipped']) {
  const path = `src/base/schema/generated/${folder}.ts`;
  const fresh = folder === 'shipped' ? format(folder, shippedNames()) : await generate(folder);
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
