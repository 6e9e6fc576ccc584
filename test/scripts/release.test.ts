import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { problemsOfVersion, readVersion, sectionOf } from '../../scripts/release/version.mjs';

const CHANGELOG = '# Changelog\n\n## 1.10.0 (2026-12-01)\n\n### New\n\n- Ten\n\n## 1.1.0 (unreleased)\n\n- One\n';

describe('the section of a version in the changelog', () => {
  it('is found by its whole version, and ends before the next', () => {
    expect(sectionOf(CHANGELOG, '1.10.0')).toEqual({ heading: '1.10.0 (2026-12-01)', text: '### New\n\n- Ten' });
    expect(sectionOf(CHANGELOG, '1.1.0')).toEqual({ heading: '1.1.0 (unreleased)', text: '- One' });
    expect(sectionOf(CHANGELOG, '1.1')).toBeUndefined();
  });
});

describe('a release', () => {
  const facts = { version: '1.10.0', locked: ['1.10.0', '1.10.0'], changelog: CHANGELOG, tag: 'v1.10.0' };

  it('is possible if package.json, the lock file, the changelog and the tag agree', () => {
    expect(problemsOfVersion(facts)).toEqual([]);
  });

  it.each([
    ['a tag of another version', { tag: 'v1.9.0' }, 'the tag v1.9.0 is not v1.10.0'],
    ['an old lock file', { locked: ['1.9.0', '1.10.0'] }, 'package-lock.json'],
    ['no section in the changelog', { version: '2.0.0', locked: ['2.0.0'], tag: 'v2.0.0' }, 'no section "## 2.0.0"'],
    [
      'a section without a date',
      { version: '1.1.0', locked: ['1.1.0'], tag: 'v1.1.0' },
      '"## 1.1.0 (unreleased)" has no date',
    ],
    ['a version with a suffix', { version: '1.10.0-rc.1' }, 'is not of the form 1.2.3'],
  ])('is refused for %s', (_, wrong, reason) => {
    expect(problemsOfVersion({ ...facts, ...wrong })).toContainEqual(expect.stringContaining(reason));
  });

  it('needs no date before it is tagged', () => {
    const { tag: _, ...untagged } = facts;
    expect(problemsOfVersion({ ...untagged, version: '1.1.0', locked: ['1.1.0'] })).toEqual([]);
    expect(problemsOfVersion(readVersion())).toEqual([]);
  });
});

describe.each(readdirSync('.github/workflows'))('the workflow %s', (file) => {
  const text = readFileSync(`.github/workflows/${file}`, 'utf8');
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

  it('runs only scripts of this project, with read access unless a job needs more', () => {
    const commands = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name);
    expect(commands.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
    expect(parse(text).permissions).toEqual({ contents: 'read' });
  });
});

it('the documents, the workflow and the release name the same versions of Node.js', () => {
  const versions = /NODE_VERSIONS = \[(.*)\]/.exec(readFileSync('scripts/release.mjs', 'utf8'))?.[1]?.match(/\d+/g);
  const { jobs } = parse(readFileSync('.github/workflows/ci.yml', 'utf8'));
  expect(jobs.linux.strategy.matrix.node.map(String)).toEqual(versions);
  const promised = /Node\.js 20 \(20\.19 or newer\), (\d+), (\d+) and (\d+)\./.exec(
    readFileSync('docs/versioning.md', 'utf8'),
  );
  expect(promised?.slice(1)).toEqual(versions?.slice(1));
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(engines.node).toBe('>=20.19');
});
