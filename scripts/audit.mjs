// `npm run audit`: asks the registry for known vulnerabilities of the libraries that the package contains. Those that do not affect it are
// in audit-exceptions.json, each with its reason and its last day. Exit code 1 if there are others, 2 if the registry does not answer.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { builtProgram } from './build/built-program.mjs';
import { BILL_OF_MATERIALS } from './build/libraries.mjs';

const EXCEPTIONS = 'scripts/audit-exceptions.json';

/** @typedef {{ advisory: string, library: string, reason: string, until: string }} Exception */
/** @typedef {{ name: string, url: string, title: string, severity: string }} Advisory */
/** @typedef {{ vulnerabilities?: Record<string, { via: (string | Advisory)[], nodes: string[] }>, message?: string, error?: { summary?: string } }} Report */

/**
 * What `npm audit` found, as sentences. Libraries of development are omitted, because nobody installs them with the package.
 *
 * @param {Report} report of `npm audit --json`
 * @param {{ isBundled(name: string, place: string): boolean, exceptions: readonly Exception[], today: string }} context `place` is the
 *   folder of a library, such as node_modules/ajv
 * @returns {{ isChecked: boolean, problems: string[], notes: string[] }}
 */
export function judgeAudit({ vulnerabilities, message, error }, { isBundled, exceptions, today }) {
  if (vulnerabilities === undefined) {
    const reason = message ?? error?.summary ?? 'npm audit printed no report';
    return {
      isChecked: false,
      problems: [],
      notes: [`The registry could not be asked, so nothing was checked: ${reason}`],
    };
  }
  const advisories = Object.entries(vulnerabilities).flatMap(([name, { via, nodes }]) =>
    nodes.some((place) => isBundled(name, place)) ? via.filter((each) => typeof each !== 'string') : [],
  );
  const matched = new Set();
  const problems = advisories.flatMap((advisory) => {
    const id = advisory.url.split('/').at(-1);
    const exception = exceptions.find((each) => each.advisory === id && each.library === advisory.name);
    matched.add(exception);
    if (exception !== undefined && exception.until >= today) {
      return [];
    }
    const exceptionEnd = exception === undefined ? '' : `; its exception ended on ${exception.until}`;
    return [`${advisory.name}: ${advisory.title} (${advisory.severity}, ${advisory.url})${exceptionEnd}`];
  });
  const notes = exceptions.flatMap((exception) => {
    const { advisory, library, reason, until } = exception;
    if (matched.has(exception) && until < today) {
      return [];
    }
    return matched.has(exception)
      ? `${library}: ${advisory} does not count until ${until}: ${reason}`
      : `${library}: the exception for ${advisory} is not needed; remove it from ${EXCEPTIONS}`;
  });
  return { isChecked: true, problems, notes };
}

function askRegistry() {
  const isWindows = process.platform === 'win32';
  const { stdout } = spawnSync(isWindows ? 'npm.cmd' : 'npm', ['audit', '--json'], {
    encoding: 'utf8',
    maxBuffer: 1e8,
    shell: isWindows,
  });
  try {
    return JSON.parse(stdout);
  } catch {
    return {};
  }
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** Audits the built package, and prints the result. Returns the exit code. */
export function audit() {
  builtProgram();
  const { components } = readJson(`dist/${BILL_OF_MATERIALS}`);
  const { packages } = readJson('package-lock.json');
  const bundled = new Set(components.map(({ name, version }) => `${name}@${version}`));
  const { isChecked, problems, notes } = judgeAudit(askRegistry(), {
    isBundled: (name, place) => bundled.has(`${name}@${packages[place]?.version}`),
    exceptions: readJson(EXCEPTIONS),
    today: new Date().toISOString().slice(0, 10),
  });
  for (const line of [...problems, ...notes]) {
    console.log(line);
  }
  if (isChecked) {
    console.log(`${components.length} libraries in the package, ${problems.length} known vulnerabilities`);
  }
  return isChecked ? Math.min(problems.length, 1) : 2;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = audit();
}
