import { join } from 'node:path';
import { membersOf, namesIn } from '../../base/members.ts';
import type { Finding } from '../../base/refusal.ts';
import type { BehaviourFixture, ChannelsFixture, ScenarioFixture } from '../../base/schema/generated/fixtures.ts';
import type { Merchant } from '../../base/schema/generated/records.ts';
import { sentenceOf } from '../../base/schema/json-line.ts';
import { validate } from '../../base/schema/validation.ts';
import { checkBehaviour } from './check-behaviour.ts';
import { checkAcrossFiles, checkFile, type FileFinding } from './check-fixtures.ts';
import { checkScenario, type KnownNames } from './check-scenario.ts';
import { FixtureError, type FixtureProblem } from './fixture-error.ts';
import {
  definitionFilesIn,
  FILES,
  type FixtureFiles,
  findUnknownFiles,
  type JsonFile,
  readFileIfExists,
  readJsonIfExists,
  SHIPPED_FOLDER,
} from './fixture-files.ts';
import { findDuplicates, findMisspelledIds, overlay, pathInChanges } from './overlay.ts';
import { addWalletNames } from './wallet-names.ts';

export { FixtureError };
export type Channel = ChannelsFixture['channels'][number];
export type Scenario = ScenarioFixture;
export type Behaviour = BehaviourFixture;

/** The data for the sandbox's answers: the shipped fixtures with the user's merged over them. Never changed after loading. */
export interface Fixtures extends FixtureFiles {
  scenarios: ReadonlyMap<string, Scenario>;
  behaviours: ReadonlyMap<string, Behaviour>;
  channel(id: string): Channel | undefined;
  /** The channel that lists a wallet name, spelled exactly like this. */
  channelByName(walletName: string): Channel | undefined;
  /** The listed wallet name that differs from the text at most in case. */
  walletNameLike(text: string): string | undefined;
  merchant(id: string): Merchant | undefined;
}

export interface FixtureOptions {
  /** Further wallet names, by channel id. Source: the flag --wallet-names. */
  walletNames?: Readonly<Record<string, readonly string[]>> | undefined;
  /** Further checks, which need the tables of operations and flows. */
  check?(files: FixtureFiles): FileFinding[];
}

/** A fixture file: the user's version, the shipped one, and both merged. */
interface LayeredFile {
  path: string;
  user: JsonFile | undefined;
  shipped: unknown;
  merged: unknown;
}

type Files = Record<keyof FixtureFiles, LayeredFile>;

/**
 * Reads the shipped fixtures and merges the user's folder over them, file by file; see overlay.ts. Checks only the user's files,
 * because tests check the shipped ones. Throws FixtureError.
 */
export async function loadFixtures(folder?: string, options: FixtureOptions = {}): Promise<Fixtures> {
  const problems = folder === undefined ? [] : findUnknownFiles(folder);
  const files = readFiles(folder, problems);
  const shipped = readNamed(SHIPPED_FOLDER, problems);
  const user = folder === undefined ? { scenarios: [], behaviours: [] } : readNamed(folder, problems);
  const named = {
    scenarios: mapByName(shipped.scenarios, user.scenarios),
    behaviours: mapByName(shipped.behaviours, user.behaviours),
  };
  const merged = Object.fromEntries(Object.entries(files).map(([name, file]) => [name, file.merged]));
  const fixtures = merged as FixtureFiles & Record<string, unknown>;
  if (folder !== undefined) {
    await checkUserFiles({ files, user, problems, shipped }, { ...fixtures, behaviours: named.behaviours }, options);
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
    const shipped = readJsonIfExists(join(SHIPPED_FOLDER, file));
    const path = join(folder ?? SHIPPED_FOLDER, file);
    const user = folder === undefined ? undefined : collectProblem(problems, () => readFileIfExists(path));
    return [name, { path, user, shipped, merged: user === undefined ? shipped : overlay(shipped, user.json) }];
  });
  return Object.fromEntries(entries);
}

/** A scenario or behaviour with its file. `content` may be anything, because the user's files are read before any is checked. */
interface NamedFixture<T> {
  path: string;
  text: string;
  content: T;
}

interface AllNamed {
  scenarios: NamedFixture<Scenario>[];
  behaviours: NamedFixture<Behaviour>[];
}

function readNamed(folder: string, problems: FixtureProblem[]): AllNamed {
  const filesOf = <T>(kind: keyof AllNamed) =>
    definitionFilesIn(folder, kind).flatMap((path): NamedFixture<T>[] => {
      const file = collectProblem(problems, () => readFileIfExists(path));
      return file === undefined ? [] : [{ path, text: file.text, content: file.json as T }];
    });
  return { scenarios: filesOf<Scenario>('scenarios'), behaviours: filesOf<Behaviour>('behaviours') };
}

function mapByName<T extends { name: string }>(...lists: NamedFixture<T>[][]): ReadonlyMap<string, T> {
  return new Map(lists.flat().flatMap(({ content }) => (hasName(content) ? [[content.name, content]] : [])));
}

function hasName(content: unknown): boolean {
  return typeof membersOf(content)['name'] === 'string';
}

/** Collects the error of one file, so that it is reported together with those of the others. */
function collectProblem<T>(problems: FixtureProblem[], read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    const { file, message } = error as FixtureError;
    problems.push({ file, problem: message.slice(file.length + 2) });
    return undefined;
  }
}

async function checkUserFiles(
  { files, user, problems, shipped }: { files: Files; user: AllNamed; problems: FixtureProblem[]; shipped: AllNamed },
  fixtures: FixtureFiles & Pick<KnownNames, 'behaviours'>,
  { check }: FixtureOptions,
): Promise<void> {
  const [scenarios, behaviours] = [mapByName(shipped.scenarios), mapByName(shipped.behaviours)];
  problems.push(...(await findFileProblems(files, fixtures)));
  // Names can only be compared if the files are valid.
  const isValid = problems.length === 0;
  problems.push(
    ...(await findNamedProblems('behaviour', user.behaviours, (behaviour) =>
      isValid ? checkBehaviour(behaviour, fixtures.channels, behaviours) : [],
    )),
    ...(await findNamedProblems('scenario', user.scenarios, (scenario) =>
      isValid ? checkScenario(scenario, { ...fixtures, scenarios }) : [],
    )),
  );
  if (problems.length === 0) {
    problems.push(...toProblems(files, [...checkAcrossFiles(fixtures), ...(check?.(fixtures) ?? [])]));
  }
  const [first, ...others] = problems;
  if (first) {
    throw FixtureError.of([first, ...others]);
  }
}

async function findFileProblems(files: Files, fixtures: FixtureFiles): Promise<FixtureProblem[]> {
  const problems: FixtureProblem[] = [];
  for (const name of namesIn(FILES)) {
    const file = FILES[name];
    const layered = files[name];
    const { user, path } = layered;
    if (user !== undefined) {
      const schemaFindings = await validate(`fixtures/${file.replace('.json', '')}`, layered.merged);
      const misspelled = schemaFindings.length > 0 ? findMisspelledIds(layered.shipped, user.json) : [];
      // An entry with a misspelled id counts as new, so findings about its missing members would mislead.
      const others = schemaFindings.filter((finding) => !isInEntry(pathInUserFile(layered, finding.path), misspelled));
      const findings = schemaFindings.length > 0 ? others : await checkFile(name, fixtures);
      problems.push(
        ...findings.map((finding) => problemIn(layered, finding)),
        ...[...misspelled, ...findDuplicates(user.json)].map((finding) => problemInText(path, user.text, finding)),
      );
    }
  }
  return problems;
}

/** Whether a path is in the same entry as the path of one of these findings. */
function isInEntry(path: string | undefined, findings: readonly Finding[]): boolean {
  return findings.some((finding) => path?.startsWith(finding.path.slice(0, finding.path.lastIndexOf('.') + 1)));
}

async function findNamedProblems<T extends { name: string }>(
  kind: 'scenario' | 'behaviour',
  user: readonly NamedFixture<T>[],
  check: (defined: T) => Finding[] | Promise<Finding[]>,
): Promise<FixtureProblem[]> {
  const problems: FixtureProblem[] = [];
  for (const [index, { path: file, text, content }] of user.entries()) {
    const schemaFindings = await validate(`fixtures/${kind}`, content);
    const findings = schemaFindings.length > 0 ? schemaFindings : await check(content);
    problems.push(...findings.map((finding) => problemInText(file, text, finding)));
    const isNamed = ({ content: each }: NamedFixture<T>) => hasName(each) && each.name === content.name;
    const other = hasName(content) ? user.slice(0, index).find(isNamed) : undefined;
    if (other) {
      problems.push({ file, problem: `$.name: the ${kind} ${content.name} is already defined in ${other.path}` });
    }
  }
  return problems;
}

/** If two files contradict each other, only the user's is named. */
function toProblems(files: Files, findings: readonly FileFinding[]): FixtureProblem[] {
  const inUserFiles = findings.filter(({ fixture, path }) => pathInUserFile(files[fixture], path) !== undefined);
  const all = findings.filter(({ isIgnoredIfShipped }) => !isIgnoredIfShipped);
  return (inUserFiles.length > 0 ? inUserFiles : all).map((finding) => problemIn(files[finding.fixture], finding));
}

function problemIn(layered: LayeredFile, finding: Finding): FixtureProblem {
  const path = pathInUserFile(layered, finding.path);
  return path === undefined
    ? { file: layered.path, problem: sentenceOf(finding) }
    : problemInText(layered.path, layered.user?.text, { ...finding, path });
}

function problemInText(file: string, text: string | undefined, finding: Finding): FixtureProblem {
  return { file, problem: sentenceOf(finding, text) };
}

function pathInUserFile({ user, merged }: LayeredFile, path: string): string | undefined {
  return user === undefined ? undefined : pathInChanges(path, merged, user.json);
}
