// `npm run release -- --dry-run`: all steps of a release that need no account. Checks version and changelog, packs, and tries the package
// with each supported Node.js as a user does. Leaves nothing behind.
// `npm run release -- --tag v1.2.3 --out release`: the same, and writes tarball, release notes and bill of materials to a folder,
// which .github/workflows/release.yml publishes.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { BILL_OF_MATERIALS } from './build/libraries.mjs';
import { run } from './release/run.mjs';
import { examplesFor, fetchNode, inspectPackage, installIn, payOnce, runExample } from './release/try-package.mjs';
import { problemsOfVersion, readVersion, sectionOf } from './release/version.mjs';

/** docs/versioning.md promises them. */
const NODE_VERSIONS = ['20', '22', '24', '26'];
const PYTHONS = ['python3', 'python'];

const { values } = parseArgs({
  options: { 'dry-run': { type: 'boolean' }, tag: { type: 'string' }, out: { type: 'string' } },
});
const { 'dry-run': isDryRun = false, tag, out } = values;
if (isDryRun === (tag !== undefined && out !== undefined)) {
  console.error('usage: npm run release -- --dry-run, or --tag <tag> --out <folder>');
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'sandbox-release-'));
// Node.js and test runners keep their caches there.
for (const name of ['TMPDIR', 'TEMP', 'TMP']) {
  process.env[name] = folder;
}
let failures = 0;
try {
  await release();
} catch (error) {
  fail(error);
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
console.log(failures === 0 ? 'ready for release' : `${failures} failed`);
process.exitCode = failures === 0 ? 0 : 1;

async function release() {
  const facts = { ...readVersion(), tag };
  const { version, changelog } = facts;
  const section = sectionOf(changelog, version);
  const problems = problemsOfVersion(facts);
  if (section === undefined || problems.length > 0) {
    throw new Error(problems.join('\n'));
  }
  console.log(`version ${version}\n\nCHANGELOG: ${section.heading}\n\n${section.text}\n`);

  const tarball = resolve(run(process.execPath, ['scripts/pack.mjs', folder]).trim().split('\n').at(-1) ?? '');
  for (const [index, wanted] of NODE_VERSIONS.entries()) {
    await tryOn(wanted, { tarball, version, isFirst: index === 0 });
  }
  if (out !== undefined && failures === 0) {
    mkdirSync(out, { recursive: true });
    copyFileSync(tarball, join(out, `merchant-sandbox-${version}.tgz`));
    copyFileSync(join('dist', BILL_OF_MATERIALS), join(out, BILL_OF_MATERIALS));
    writeFileSync(join(out, 'notes.md'), `${section.text}\n`);
  }
}

/** Tries the package with one version of Node.js, which is removed afterwards because it is 200 MB. */
async function tryOn(wanted, { tarball, version, isFirst }) {
  const versionFolder = join(folder, `node-${wanted}`);
  const project = join(versionFolder, 'project');
  try {
    const node = fetchNode(join(versionFolder, 'runtime'), wanted);
    const exact = run(node, ['--version']).trim();
    const step = stepsOf(`Node.js ${exact}`);
    const runThere = await step('install', () => installIn(project, { tarball, node }));
    const files = inspectPackage(project);
    if (isFirst) {
      printFiles(files);
    }
    await step('start, pay, report, stop', () => payOnce(project, { runThere, node, version }));
    const python = PYTHONS.find((name) => spawnSync(name, ['--version']).status === 0);
    for (const example of examplesFor({ node, python })) {
      await step(`example of ${example.name}`, () => runExample(project, { runThere, example })).catch(fail);
    }
  } catch (error) {
    fail(error);
  } finally {
    rmSync(versionFolder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Runs a step, and prints its name and time. */
function stepsOf(where) {
  return async (name, work) => {
    const started = performance.now();
    const result = await work();
    console.log(`ok  ${where}: ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
    return result;
  };
}

function printFiles(files) {
  for (const { path, size } of files) {
    console.log(`${String(size).padStart(9)}  ${path}`);
  }
  const total = files.reduce((sum, { size }) => sum + size, 0);
  console.log(`${String(total).padStart(9)}  bytes in ${files.length} files\n`);
}

function fail(error) {
  failures += 1;
  console.error(`FAIL  ${error.message}`);
}
