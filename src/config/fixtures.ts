import { join } from 'node:path';
import { namesIn } from '../base/members.ts';
import type { Finding } from '../base/refusal.ts';
import type { BehaviourFixture, ChannelsFixture, ScenarioFixture } from '../base/schema/fixtures.ts';
import type { Merchant } from '../base/schema/records.ts';
import { validate } from '../base/schema/validation.ts';
import { checkBehaviour } from './check-behaviour.ts';
import { checkFile, checkTogether, type FileFinding } from './check-fixtures.ts';
import { checkScenario, type Known } from './check-scenario.ts';
import { FixtureError, type FixtureProblem, sentenceOf } from './fixture-error.ts';
import { FILES, type FixtureFiles, namedFilesIn, readJsonIfThere, SHIPPED, unknownFilesIn } from './fixture-files.ts';
import { duplicatesIn, overlay, pathAbove } from './overlay.ts';
import { addWalletNames } from './wallet-names.ts';

export { FixtureError };
export type Channel = ChannelsFixture['channels'][number];
export type Scenario = ScenarioFixture;
export type Behaviour = BehaviourFixture;

/** What the sandbox answers with, as data: the shipped fixtures, overlaid by the user's. Never changed once made. */
export interface Fixtures extends FixtureFiles {
  /** Scenarios by name. */
  scenarios: ReadonlyMap<string, Scenario>;
  /** Behaviours by name. */
  behaviours: ReadonlyMap<string, Behaviour>;
  channel(id: string): Channel | undefined;
  /** The channel that a wallet name means, upper or lower case. */
  channelByName(walletName: string): Channel | undefined;
  merchant(id: string): Merchant | undefined;
}

export interface FixtureOptions {
  /** Further wallet names, by channel id. Source: the flag --wallet-names. */
  walletNames?: Readonly<Record<string, readonly string[]>> | undefined;
  /** What only layers above know how to check. */
  check?(files: FixtureFiles): FileFinding[];
}

/** A fixture as the user wrote it, and as it is used. */
interface Laid {
  path: string;
  own: unknown;
  merged: unknown;
}

type Files = Record<keyof FixtureFiles, Laid>;

/**
 * Reads the shipped fixtures and lays the user's folder over them, file by file; see overlay.ts. Only what the user wrote is
 * checked: the shipped files are checked by the tests. Throws FixtureError with all that is wrong.
 */
export async function loadFixtures(folder?: string, options: FixtureOptions = {}): Promise<Fixtures> {
  const problems = folder === undefined ? [] : unknownFilesIn(folder);
  const files = readFiles(folder, problems);
  const shipped = readNamed(SHIPPED, problems);
  const own = folder === undefined ? { scenarios: [], behaviours: [] } : readNamed(folder, problems);
  const named = {
    scenarios: byName(shipped.scenarios, own.scenarios),
    behaviours: byName(shipped.behaviours, own.behaviours),
  };
  const merged = Object.fromEntries(Object.entries(files).map(([name, laid]) => [name, laid.merged]));
  const fixtures = merged as FixtureFiles & Record<string, unknown>;
  if (folder !== undefined) {
    await checkOwn({ files, own, problems, shipped }, { ...fixtures, behaviours: named.behaviours }, options);
  }
  return assemble({ ...fixtures, channels: addWalletNames(fixtures.channels, options.walletNames ?? {}) }, named);
}

function assemble(files: FixtureFiles, named: Pick<Fixtures, 'scenarios' | 'behaviours'>): Fixtures {
  const channels = new Map(files.channels.channels.map((channel) => [channel.id, channel]));
  const byWalletName = new Map(
    files.channels.channels.flatMap((channel) => channel.names.map((name) => [name.toLowerCase(), channel] as const)),
  );
  const merchants = new Map(files.merchants.merchants.map(({ webhooks: _, ...merchant }) => [merchant.id, merchant]));
  return {
    ...files,
    ...named,
    channel: (id) => channels.get(id),
    channelByName: (walletName) => byWalletName.get(walletName.toLowerCase()),
    merchant: (id) => merchants.get(id),
  };
}

function readFiles(folder: string | undefined, problems: FixtureProblem[]): Files {
  const entries = Object.entries(FILES).map(([name, file]) => {
    const shipped = readJsonIfThere(join(SHIPPED, file));
    const path = join(folder ?? SHIPPED, file);
    const own = folder === undefined ? undefined : collecting(problems, () => readJsonIfThere(path));
    return [name, { path, own, merged: own === undefined ? shipped : overlay(shipped, own) }];
  });
  return Object.fromEntries(entries);
}

/** What is defined by a file of its own: read, and checked only later where it is the user's. */
interface Named<T> {
  path: string;
  defined: T;
}

interface AllNamed {
  scenarios: Named<Scenario>[];
  behaviours: Named<Behaviour>[];
}

function readNamed(folder: string, problems: FixtureProblem[]): AllNamed {
  const read = <T>(kind: keyof AllNamed) =>
    namedFilesIn(folder, kind).flatMap((path): Named<T>[] => {
      const defined = collecting(problems, () => readJsonIfThere(path)) as T | undefined;
      return defined === undefined ? [] : [{ path, defined }];
    });
  return { scenarios: read<Scenario>('scenarios'), behaviours: read<Behaviour>('behaviours') };
}

function byName<T extends { name: string }>(...lists: Named<T>[][]): ReadonlyMap<string, T> {
  return new Map(lists.flat().map(({ defined }) => [defined.name, defined]));
}

/** What fails in one file is told together with what is wrong in the others. */
function collecting<T>(problems: FixtureProblem[], read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    const { file, message } = error as FixtureError;
    problems.push({ file, problem: message.slice(file.length + 2) });
    return undefined;
  }
}

/** Throws FixtureError with everything that is wrong in what the user wrote. */
async function checkOwn(
  { files, own, problems, shipped }: { files: Files; own: AllNamed; problems: FixtureProblem[]; shipped: AllNamed },
  fixtures: FixtureFiles & Pick<Known, 'behaviours'>,
  { check }: FixtureOptions,
): Promise<void> {
  const [scenarios, behaviours] = [byName(shipped.scenarios), byName(shipped.behaviours)];
  problems.push(...(await problemsInFiles(files, fixtures)));
  problems.push(
    ...(await problemsInNamed('behaviour', own.behaviours, (behaviour) =>
      checkBehaviour(behaviour, fixtures.channels, behaviours),
    )),
  );
  problems.push(
    ...(await problemsInNamed('scenario', own.scenarios, (scenario) =>
      checkScenario(scenario, { ...fixtures, scenarios }),
    )),
  );
  if (problems.length === 0) {
    problems.push(...problemsBetween(files, [...checkTogether(fixtures), ...(check?.(fixtures) ?? [])]));
  }
  const [first, ...others] = problems;
  if (first) {
    throw FixtureError.of([first, ...others]);
  }
}

async function problemsInFiles(files: Files, fixtures: FixtureFiles): Promise<FixtureProblem[]> {
  const problems: FixtureProblem[] = [];
  for (const name of namesIn(FILES)) {
    const file = FILES[name];
    const laid = files[name];
    if (laid.own !== undefined) {
      const broken = await validate(`fixtures/${file.replace('.json', '')}`, laid.merged);
      const findings = broken.length > 0 ? broken : await checkFile(name, fixtures);
      const duplicates = duplicatesIn(laid.own).map((finding) => ({ file: laid.path, problem: sentenceOf(finding) }));
      problems.push(...findings.map((finding) => problemIn(laid, finding)), ...duplicates);
    }
  }
  return problems;
}

async function problemsInNamed<T extends { name: string }>(
  kind: 'scenario' | 'behaviour',
  own: readonly Named<T>[],
  check: (defined: T) => Finding[] | Promise<Finding[]>,
): Promise<FixtureProblem[]> {
  const problems: FixtureProblem[] = [];
  for (const [index, { path: file, defined }] of own.entries()) {
    const broken = await validate(`fixtures/${kind}`, defined);
    const findings = broken.length > 0 ? broken : await check(defined);
    problems.push(...findings.map((finding) => ({ file, problem: sentenceOf(finding) })));
    const other = own.slice(0, index).find((each) => each.defined.name === defined.name);
    if (other) {
      problems.push({ file, problem: `$.name: the ${kind} ${defined.name} is already defined in ${other.path}` });
    }
  }
  return problems;
}

/** Where two places contradict each other, the one that the user wrote is named. */
function problemsBetween(files: Files, findings: readonly FileFinding[]): FixtureProblem[] {
  const own = findings.filter(({ fixture, path }) => pathInOwn(files[fixture], path) !== undefined);
  return (own.length > 0 ? own : findings).map((finding) => problemIn(files[finding.fixture], finding));
}

function problemIn(laid: Laid, finding: Finding): FixtureProblem {
  const path = pathInOwn(laid, finding.path) ?? finding.path;
  return { file: laid.path, problem: sentenceOf({ ...finding, path }) };
}

function pathInOwn({ own, merged }: Laid, path: string): string | undefined {
  return own === undefined ? undefined : pathAbove(path, merged, own);
}
