// The version of a release, and its section of the changelog.
import { readFileSync } from 'node:fs';

const PLAIN_VERSION = /^\d+\.\d+\.\d+$/;
const RELEASED = /^\S+ \(\d{4}-\d{2}-\d{2}\)$/;

/**
 * The section of a version in the changelog: its heading and its text.
 *
 * @param {string} changelog
 * @param {string} version
 */
export function sectionOf(changelog, version) {
  const [, ...sections] = changelog.split(/^## /m);
  const section = sections.find((part) => part.split(/\s/, 1)[0] === version);
  if (section === undefined) {
    return undefined;
  }
  const [heading = '', ...lines] = section.split('\n');
  return { heading, text: lines.join('\n').trim() };
}

/**
 * Why a version cannot be released; empty if it can.
 *
 * @param {{ version: string, locked: readonly (string | undefined)[], changelog: string, tag?: string | undefined }} facts `locked` are the
 *   versions in package-lock.json; `tag` is the tag that is published
 */
export function problemsOfVersion({ version, locked, changelog, tag }) {
  const heading = sectionOf(changelog, version)?.heading;
  return [
    PLAIN_VERSION.test(version) ? '' : `package.json: ${version} is not of the form 1.2.3`,
    locked.every((each) => each === version) ? '' : `package-lock.json: its version is not ${version}; run npm install`,
    heading === undefined ? `CHANGELOG.md: there is no section "## ${version}"` : '',
    tag === undefined || tag === `v${version}` ? '' : `the tag ${tag} is not v${version}, the version in package.json`,
    tag === undefined || heading === undefined || RELEASED.test(heading)
      ? ''
      : `CHANGELOG.md: "## ${heading}" has no date, such as ${version} (2026-12-01)`,
  ].filter((problem) => problem !== '');
}

export function readVersion() {
  const { version } = readJson('package.json');
  const lock = readJson('package-lock.json');
  const changelog = readFileSync('CHANGELOG.md', 'utf8');
  return { version, locked: [lock.version, lock.packages['']?.version], changelog };
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}
