import { join } from 'node:path';
import { membersOf, namesIn } from '../../base/members.ts';
import type { Finding } from '../../base/refusal.ts';
import type { BehaviourFixture, ChannelsFixture, ScenarioFixture } from '../../base/schema/generated/fixtures.ts';
import type { Merchant } from '../../base/schema/generated/records.ts';
import { sentenceOf } from '../../base/schema/json-line.ts';
import { validate } from '../../base/schema/validation.ts';
import { checkBehaviour } from './check-behaviour.ts';
import { checkFile, checkTogether, type FileFinding } from './check-fixtures.ts';
import { checkScenario, type KnownNames } from './check-scenario.ts';
import { FixtureError, type FixtureProblem } from './fixture-error.ts';
import {
  FILES,
  type FixtureFiles,
  type JsonFile,
  namedFilesIn,
  readFileIfThere,
  readJsonIfThere,
  SHIPPED,
  unknownFilesIn,
} from './fixture-files.ts';
import { duplicateEntries, misspelledKeys, overlay, pathAbove } from './overlay.ts';
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
  /** The channel that lists a wallet name, spelled exactly like this. */
  channelByName(walletName: string): Channel | undefined;
  /** The listed wallet name that this is in upper or lower case. */
  walletNameLike(text: string): string | undefined;
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
  /** Undefined where the user has no such file. */
  own: JsonFile | undefined;
  shipped: unknown;
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
    files.channels.channels.flatMap((channel) => channel.names.map((name) => [name, channel] as const)),
  );
  const walletNames = new Map([...byWalletName.keys()].map((name) => [name.toLowerCase(), name]));
  const merchants = new Map(files.merchants.merchants.map(({ webhooks: _, ...merchant }) => [merchant.id, merchant]));
  return {
    ...files,
    ...named,
    channel: (id) => channels.get(id),
    channelByName: (walletName) => byWalletName.get(walletName),
    walletNameLike: (text) => (byWalletName.has(text) ? text : walletNames.get(text.toLowerCase())),
    merchant: (id) => merchants.get(id),
  };
}

function readFiles(folder: string | undefined, problems: FixtureProblem[]): Files {
  const entries = Object.entries(FILES).map(([name, file]) => {
    const shipped = readJsonIfThere(join(SHIPPED, file));
    const path = join(folder ?? SHIPPED, file);
    const own = folder === undefined ? undefined : collecting(problems, () => readFileIfThere(path));
    return [name, { path, own, shipped, merged: own === undefined ? shipped : overlay(shipped, own.json) }];
  });
  return Object.fromEntries(entries);
}

/** A fixture that has its own file. The user's files are checked after all are read. */
interface Named<T> {
  path: string;
  text: string;
  defined: T;
}

interface AllNamed {
  scenarios: Named<Scenario>[];
  behaviours: Named<Behaviour>[];
}

function readNamed(folder: string, problems: FixtureProblem[]): AllNamed {
  const read = <T>(kind: keyof AllNamed) =>
    namedFilesIn(folder, kind).flatMap((path): Named<T>[] => {
      const file = collecting(problems, () => readFileIfThere(path));
      return file === undefined ? [] : [{ path, text: file.text, defined: file.json as T }];
    });
  return { scenarios: read<Scenario>('scenarios'), behaviours: read<Behaviour>('behaviours') };
}

function byName<T extends { name: string }>(...lists: Named<T>[][]): ReadonlyMap<string, T> {
  return new Map(lists.flat().flatMap(({ defined }) => (hasName(defined) ? [[defined.name, defined]] : [])));
}

/** What the user wrote may be anything. */
function hasName(defined: unknown): boolean {
  return typeof membersOf(defined)['name'] === 'string';
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
  fixtures: FixtureFiles & Pick<KnownNames, 'behaviours'>,
  { check }: FixtureOptions,
): Promise<void> {
  const [scenarios, behaviours] = [byName(shipped.scenarios), byName(shipped.behaviours)];
  problems.push(...(await problemsInFiles(files, fixtures)));
  // Names can only be compared with files that make sense.
  const isSound = problems.length === 0;
  problems.push(
    ...(await problemsInNamed('behaviour', own.behaviours, (behaviour) =>
      isSound ? checkBehaviour(behaviour, fixtures.channels, behaviours) : [],
    )),
    ...(await problemsInNamed('scenario', own.scenarios, (scenario) =>
      isSound ? checkScenario(scenario, { ...fixtures, scenarios }) : [],
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
    const { own, path } = laid;
    if (own !== undefined) {
      const broken = await validate(`fixtures/${file.replace('.json', '')}`, laid.merged);
      const misspelled = broken.length > 0 ? misspelledKeys(laid.shipped, own.json) : [];
      // What is missing in such an entry is in the one that was meant.
      const others = broken.filter((finding) => !isInEntry(pathInOwn(laid, finding.path), misspelled));
      const findings = broken.length > 0 ? others : await checkFile(name, fixtures);
      problems.push(
        ...findings.map((finding) => problemIn(laid, finding)),
        ...[...misspelled, ...duplicateEntries(own.json)].map((finding) => problemInText(path, own.text, finding)),
      );
    }
  }
  return problems;
}

/** Whether a path leads into an entry whose key one of these findings is about. */
function isInEntry(path: string | undefined, keys: readonly Finding[]): boolean {
  return keys.some((key) => path?.startsWith(key.path.slice(0, key.path.lastIndexOf('.') + 1)));
}

async function problemsInNamed<T extends { name: string }>(
  kind: 'scenario' | 'behaviour',
  own: readonly Named<T>[],
  check: (defined: T) => Finding[] | Promise<Finding[]>,
): Promise<FixtureProblem[]> {
  const problems: FixtureProblem[] = [];
  for (const [index, { path: file, text, defined }] of own.entries()) {
    const broken = await validate(`fixtures/${kind}`, defined);
    const findings = broken.length > 0 ? broken : await check(defined);
    problems.push(...findings.map((finding) => problemInText(file, text, finding)));
    const isNamed = ({ defined: each }: Named<T>) => hasName(each) && each.name === defined.name;
    const other = hasName(defined) ? own.slice(0, index).find(isNamed) : undefined;
    if (other) {
      problems.push({ file, problem: `$.name: the ${kind} ${defined.name} is already defined in ${other.path}` });
    }
  }
  return problems;
}

/** Where two places contradict each other, the one that the user wrote is named. */
function problemsBetween(files: Files, findings: readonly FileFinding[]): FixtureProblem[] {
  const own = findings.filter(({ fixture, path }) => pathInOwn(files[fixture], path) !== undefined);
  const all = findings.filter(({ onlyIfOwn }) => !onlyIfOwn);
  return (own.length > 0 ? own : all).map((finding) => problemIn(files[finding.fixture], finding));
}

function problemIn(laid: Laid, finding: Finding): FixtureProblem {
  const path = pathInOwn(laid, finding.path);
  return path === undefined
    ? { file: laid.path, problem: sentenceOf(finding) }
    : problemInText(laid.path, laid.own?.text, { ...finding, path });
}

function problemInText(file: string, text: string | undefined, finding: Finding): FixtureProblem {
  return { file, problem: sentenceOf(finding, text) };
}

function pathInOwn({ own, merged }: Laid, path: string): string | undefined {
  return own === undefined ? undefined : pathAbove(path, merged, own.json);
}
