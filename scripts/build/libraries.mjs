import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of a package in the path of a file as esbuild reports it. */
const PACKAGE = /^((?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/** A bill of materials, in the format CycloneDX, beside the licences. */
export const BILL_OF_MATERIALS = 'sbom.cdx.json';

/** @typedef {{ name: string, version: string, license: string | undefined, text: string }} Library */

/**
 * Writes the licences of the libraries in a bundle, because they must be distributed with it, and their names and versions, for programs
 * that look for known vulnerabilities.
 *
 * @param {string} folder
 * @param {Pick<import('esbuild').Metafile, 'inputs'>} metafile
 */
export function writeLibraries(folder, { inputs }) {
  const folders = new Set(Object.keys(inputs).flatMap((file) => PACKAGE.exec(file)?.[1] ?? []));
  const libraries = [...folders].sort().map(readLibrary);
  writeFileSync(join(folder, 'THIRD-PARTY-LICENCES.txt'), licenceText(libraries));
  const { name, version, license } = JSON.parse(readFileSync('package.json', 'utf8'));
  const bill = billOfMaterials({ name, version, license }, libraries);
  writeFileSync(join(folder, BILL_OF_MATERIALS), `${JSON.stringify(bill)}\n`);
}

/**
 * A text that several libraries share is written once, below all their names and copyright notices.
 *
 * @param {readonly Library[]} libraries
 */
function licenceText(libraries) {
  /** @type {Map<string, { heads: string[], text: string }>} */
  const byText = new Map();
  for (const { name, version, license = 'see below', text } of libraries) {
    const { notices, terms } = partsOf(text);
    const key = terms.replace(/\s+/g, ' ').trim();
    const { heads, text: first } = byText.get(key) ?? { heads: [], text: terms };
    byText.set(key, { heads: [...heads, [`${name} ${version}, ${license}`, ...notices].join('\n  ')], text: first });
  }
  const parts = [...byText.values()].map(({ heads, text }) => `${[...new Set(heads)].join('\n')}\n\n${text.trim()}\n`);
  return parts.join(`\n${'-'.repeat(80)}\n\n`);
}

/**
 * Without a time and a serial number, so that the same sources give the same package.
 *
 * @param {Omit<Library, 'text'>} program
 * @param {readonly Omit<Library, 'text'>[]} libraries
 */
export function billOfMaterials(program, libraries) {
  const components = new Map(libraries.map((library) => [packageUrl(library), componentOf(library)]));
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { ...componentOf(program), type: 'application' } },
    components: [...components.values()],
  };
}

/** @param {Omit<Library, 'text'>} library */
function componentOf({ name, version, license }) {
  const isExpression = /[ ()]/.test(license ?? '');
  return {
    type: 'library',
    name,
    version,
    purl: packageUrl({ name, version }),
    ...(license === undefined
      ? {}
      : { licenses: [isExpression ? { expression: license } : { license: { id: license } }] }),
  };
}

/** @param {Pick<Library, 'name' | 'version'>} library */
function packageUrl({ name, version }) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
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

/**
 * @param {string} folder
 * @returns {Library}
 */
function readLibrary(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((each) => /^(licen[cs]e|copying)/i.test(each));
  if (!license && !file) {
    throw new Error(`${folder} says nothing about its licence`);
  }
  const text = file ? `\n${readFileSync(join(folder, file), 'utf8').trim()}\n` : '';
  return { name, version, license, text };
}
