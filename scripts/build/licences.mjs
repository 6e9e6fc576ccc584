import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file of an installed package, by the name under which esbuild saw it. */
const PACKAGE = /^((?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/**
 * Writes the licences of the libraries that a bundle contains, because they must be distributed with it. A text that several libraries
 * share is written once, below all their names and copyright notices.
 *
 * @param {string} path
 * @param {Pick<import('esbuild').Metafile, 'inputs'>} metafile
 */
export function writeLicences(path, { inputs }) {
  const folders = new Set(Object.keys(inputs).flatMap((file) => PACKAGE.exec(file)?.[1] ?? []));
  /** @type {Map<string, { heads: string[], text: string }>} */
  const byText = new Map();
  for (const { name, text } of [...folders].sort().map(licenceOf)) {
    const { notices, terms } = partsOf(text);
    const key = terms.replace(/\s+/g, ' ').trim();
    const { heads, text: first } = byText.get(key) ?? { heads: [], text: terms };
    byText.set(key, { heads: [...heads, [name, ...notices].join('\n  ')], text: first });
  }
  const parts = [...byText.values()].map(({ heads, text }) => `${[...new Set(heads)].join('\n')}\n\n${text.trim()}\n`);
  writeFileSync(path, parts.join(`\n${'-'.repeat(80)}\n\n`));
}

/**
 * Splits a licence into the copyright notices at its head and the terms, which many libraries share. A line with only the name of the
 * licence is omitted, because that is already next to the name of the library.
 *
 * @param {string} text
 */
function partsOf(text) {
  const lines = text.split('\n');
  const isTitle = (/** @type {string} */ line) => /^\W*(?:the )?(?:mit|isc) license\W*(?:mit\W*)?$/i.test(line.trim());
  const isNotice = (/** @type {string} */ line) => /^\s*(?:copyright\b|\(c\)|©)/i.test(line) && line.length < 200;
  const begin = lines.findIndex((line) => line.trim() !== '' && !isTitle(line) && !isNotice(line));
  const head = begin === -1 ? lines : lines.slice(0, begin);
  return {
    notices: head.filter(isNotice).map((line) => line.trim()),
    terms: begin === -1 ? '' : lines.slice(begin).join('\n'),
  };
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
