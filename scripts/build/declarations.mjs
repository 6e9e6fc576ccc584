import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, posix } from 'node:path';

/** Relative imports in a declaration file. */
const RELATIVE = /(\bfrom\s*|\bimport\()(['"])(\.{1,2}\/[^'"]+)\.(?:js|tsx?)\2/g;

/**
 * Writes the types of the library: those of each entry and of all files that it imports, once for `import` and once for `require`,
 * which needs separate files.
 *
 * @param {readonly string[]} entries files in dist/, without their extension
 */
export function writeDeclarations(entries) {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-types-'));
  try {
    const { status } = spawnSync(
      process.execPath,
      ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--outDir', folder],
      { stdio: 'inherit' },
    );
    if (status !== 0) {
      throw new Error('the types could not be written');
    }
    const texts = new Map(entries.map((entry) => [`${entry}.d.ts`, '']));
    // The loop adds files to the map that it iterates.
    for (const file of texts.keys()) {
      const text = withTabs(readFileSync(join(folder, file), 'utf8'));
      texts.set(file, text);
      for (const [, , , path = ''] of text.matchAll(RELATIVE)) {
        const imported = `${posix.join(posix.dirname(file), path)}.d.ts`;
        texts.set(imported, texts.get(imported) ?? '');
      }
    }
    for (const [file, text] of withoutUnused(texts)) {
      mkdirSync(dirname(join('dist', file)), { recursive: true });
      writeFileSync(join('dist', file), text.replace(RELATIVE, '$1$2$3.js$2'));
      writeFileSync(join('dist', file.replace(/\.ts$/, '.cts')), commonDeclaration(file, text));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Indents by tabs, because the four spaces of the compiler are 40 kB of the package. */
function withTabs(text) {
  return text.replace(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4));
}

/**
 * Removes the types of schemas that nothing exported refers to, which are 50 kB of the package.
 *
 * @param {ReadonlyMap<string, string>} texts by file
 */
function withoutUnused(texts) {
  const wordsOf = (/** @type {string} */ text) => text.match(/\w+/g) ?? [];
  const [ofSchemas, others] = [true, false].map((isWanted) =>
    [...texts].filter(([file]) => isOfSchemas(file) === isWanted),
  );
  const declarations = ofSchemas.flatMap(([, text]) => declarationsIn(text));
  const used = new Set(others.flatMap(([, text]) => wordsOf(text)));
  const queue = [...used];
  for (const name of queue) {
    for (const { text } of declarations.filter((declaration) => declaration.name === name)) {
      for (const word of wordsOf(text).filter((each) => !used.has(each))) {
        used.add(word);
        queue.push(word);
      }
    }
  }
  return [
    ...others,
    ...ofSchemas.map(([file, text]) => {
      const lists = text.match(/^(?:import|export) type \{.*$/gm) ?? [];
      const usedDeclarations = declarationsIn(text).filter(({ name }) => used.has(name));
      return /** @type {const} */ ([
        file,
        [...lists.map((list) => onlyUsed(list, used)), ...usedDeclarations.map((each) => each.text), ''].join('\n'),
      ]);
    }),
  ];
}

/** The declarations of a generated file, each with its comment. */
function declarationsIn(text) {
  const parts = text.split(/\n(?=\/\*\*)|(?<! \*\/)\n(?=export )/);
  return parts.flatMap((part) => {
    const name = /^export (?:interface|type) (\w+)/m.exec(part)?.[1];
    return name === undefined ? [] : [{ name, text: part.trimEnd() }];
  });
}

function onlyUsed(list, used) {
  return list.replace(
    /\{([^}]*)\}/,
    (_, names) =>
      `{ ${names
        .split(',')
        .map((name) => name.trim())
        .filter((name) => used.has(name))
        .join(', ')} }`,
  );
}

function isOfSchemas(file) {
  return file.startsWith('base/schema/generated/');
}

/** The generated types of schemas import nothing, so `require` can use the same file, which saves space. */
function commonDeclaration(file, text) {
  const module = `./${basename(file).replace(/\.d\.ts$/, '.js')}`;
  return isOfSchemas(file)
    ? `export type * from '${module}' with { 'resolution-mode': 'import' };\n`
    : text.replace(RELATIVE, '$1$2$3.cjs$2');
}
