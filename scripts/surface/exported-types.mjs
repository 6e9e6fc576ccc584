// The declarations of everything that the package exports, without comments and bodies.
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { transformSync } from '@swc/core';

const EXPORTED = /^export (?:type )?\{([^}]*)\} from '([^']+)';$/gm;
const SCHEMAS = /\/base\/schema\//;

/**
 * The declarations of each entry point, one after the other. A declaration that several of them export is shown once.
 *
 * @param {Readonly<Record<string, string>>} entries the source file of each, by the name that users import
 */
export function exportedTypes(entries) {
  const shownTexts = new Set();
  return Object.entries(entries).flatMap(([entry, file]) => [
    `import from '${entry}'`,
    ...declarationsOf(file).map((text) => {
      const isRepeated = shownTexts.has(text);
      shownTexts.add(text);
      return isRepeated ? `${text.split(/\W/, 2).join(' ')}, as above` : text;
    }),
  ]);
}

/** The exports of a file, in the order of its lines. A type that is generated from a schema is only named, because its schema is shown. */
function declarationsOf(file) {
  const text = declarationTextOf(file);
  const declarations = topLevel(text).filter((part) => /^export (?!\{|type \{|\*)/.test(part));
  const others = [...text.matchAll(EXPORTED)].flatMap(([, names = '', path = '']) => {
    const target = posix.join(posix.dirname(file), path);
    return names.split(',').flatMap((given) => {
      const [, name, alias = name] = /^\s*(?:type )?(\w+)(?: as (\w+))?\s*$/.exec(given) ?? [];
      return name === undefined ? [] : [declarationOf(name, alias, target)];
    });
  });
  return [...declarations, ...others].map(withoutExport);
}

function declarationOf(name, alias, file) {
  if (SCHEMAS.test(file)) {
    return `type ${alias}: ${posix.basename(file, '.ts')} ${name}`;
  }
  const text = declarationTextOf(file);
  const declared = topLevel(text).find((part) =>
    new RegExp(`^export (?:declare )?(?:abstract )?(?:class|interface|type|function|const) ${name}\\b`).test(part),
  );
  if (declared === undefined) {
    throw new Error(`${file} does not export ${name}`);
  }
  // Includes the members that a class inherits from another file, because users see them as well.
  const base = /^[^{]* class \w+ extends (\w+)/.exec(declared)?.[1];
  const from =
    base && new RegExp(`^import (?:type )?\\{[^}]*\\b${base}\\b[^}]*\\} from '([^']+)'`, 'm').exec(text)?.[1];
  return from ? `${declared}\n${declarationOf(base, base, posix.join(posix.dirname(file), from))}` : declared;
}

/** The statements of a file: each begins at the left margin. */
function topLevel(text) {
  return text.split(/\n(?=\w)/);
}

function withoutExport(text) {
  return text
    .trim()
    .replace(/^export (?:declare )?/gm, '')
    .replaceAll('    ', '  ');
}

/** The types that the compiler would write for a file. This takes only milliseconds, because each file is read separately. */
function declarationTextOf(file) {
  const { output } = transformSync(readFileSync(file, 'utf8').replace(/\/\*\*.*?\*\//gs, ''), {
    filename: file,
    configFile: false,
    swcrc: false,
    jsc: { parser: { syntax: 'typescript' }, target: 'es2023', experimental: { emitIsolatedDts: true } },
  });
  return JSON.parse(output).__swc_isolated_declarations__.replace(/^ *(?:#private|private .*);\n/gm, '');
}
