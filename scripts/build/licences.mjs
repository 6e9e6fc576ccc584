import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file of an installed package, by the name under which esbuild saw it. */
const PACKAGE = /^((?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/**
 * Writes down the licences of the libraries that a bundle contains, since what their authors ask for is that these go along. A text
 * that several have stands there once, below all their names.
 *
 * @param {string} path
 * @param {Pick<import('esbuild').Metafile, 'inputs'>} metafile
 */
export function writeLicences(path, { inputs }) {
  const folders = new Set(Object.keys(inputs).flatMap((file) => PACKAGE.exec(file)?.[1] ?? []));
  /** @type {Map<string, string[]>} */
  const byText = new Map();
  for (const { name, text } of [...folders].sort().map(licenceOf)) {
    byText.set(text, [...(byText.get(text) ?? []), name]);
  }
  const parts = [...byText].map(([text, names]) => `${names.join('\n')}\n${text}`);
  writeFileSync(path, parts.join(`\n${'-'.repeat(80)}\n\n`));
}

/** @param {string} folder */
function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((each) => /^(licen[cs]e|copying)/i.test(each));
  if (!license && !file) {
    throw new Error(`${folder} says nothing about its licence`);
  }
  const text = file ? `\n${readFileSync(join(folder, file), 'utf8').trim()}\n` : '';
  return { name: `${name} ${version}, ${license ?? 'see below'}`, text };
}
