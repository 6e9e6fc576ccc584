import { join } from 'node:path';
import { namesIn } from '../base/members.ts';
import type { Finding } from '../base/refusal.ts';
import type { ChannelsFixture, ScenarioFixture } from '../base/schema/fixtures.ts';
import type { Merchant } from '../base/schema/records.ts';
import { validate } from '../base/schema/validation.ts';
import { checkFile, checkTogether, type FileFinding } from './check-fixtures.ts';
import { checkScenario } from './check-scenario.ts';
import { FixtureError, type FixtureProblem, sentenceOf } from './fixture-error.ts';
import {
  FILES,
  type FixtureFiles,
  readJsonIfThere,
  SHIPPED,
  scenarioFilesIn,
  unknownFilesIn,
} from './fixture-files.ts';
import { duplicatesIn, overlay, pathAbove } from './overlay.ts';
import { addWalletNames } from './wallet-names.ts';

export { FixtureError };
export type Channel = ChannelsFixture['channels'][number];
export type Scenario = ScenarioFixture;

/** What the sandbox answers with, as data: the shipped fixtures, overlaid by the user's. Never changed once made. */
export interface Fixtures extends FixtureFiles {
  /** Scenarios by name. */
  scenarios: ReadonlyMap<string, Scenario>;
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
  const scenarios = new Map(readScenarios(SHIPPED, problems).map(({ scenario }) => [scenario.name, scenario]));
  const merged = Object.fromEntries(Object.entries(files).map(([name, laid]) => [name, laid.merged]));
  const fixtures = merged as FixtureFiles & Record<string, unknown>;
  if (folder !== undefined) {
    const own = readScenarios(folder, problems);
    await checkOwn({ files, scenarios: own, problems }, fixtures, options);
    for (const { scenario } of own) {
      scenarios.set(scenario.name, scenario);
    }
  }
  return assemble({ ...fixtures, channels: addWalletNames(fixtures.channels, options.walletNames ?? {}) }, scenarios);
}

function assemble(files: FixtureFiles, scenarios: ReadonlyMap<string, Scenario>): Fixtures {
  const channels = new Map(files.channels.channels.map((channel) => [channel.id, channel]));
  const byName = new Map(
    files.channels.channels.flatMap((channel) => channel.names.map((name) => [name.toLowerCase(), channel] as const)),
  );
  const merchants = new Map(files.merchants.merchants.map(({ webhooks: _, ...merchant }) => [merchant.id, merchant]));
  return {
    ...files,
    scenarios,
    channel: (id) => channels.get(id),
    channelByName: (walletName) => byName.get(walletName.toLowerCase()),
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

interface OwnScenario {
  path: string;
  scenario: Scenario;
}

function readScenarios(folder: string, problems: FixtureProblem[]): OwnScenario[] {
  return scenarioFilesIn(folder).flatMap((path) => {
    const scenario = collecting(problems, () => readJsonIfThere(path)) as Scenario | undefined;
    return scenario === undefined ? [] : [{ path, scenario }];
  });
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
  { files, scenarios, problems }: { files: Files; scenarios: readonly OwnScenario[]; problems: FixtureProblem[] },
  fixtures: FixtureFiles,
  { check }: FixtureOptions,
): Promise<void> {
  problems.push(...(await problemsInFiles(files, fixtures)));
  problems.push(...(await problemsInScenarios(scenarios, fixtures)));
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

async function problemsInScenarios(
  scenarios: readonly OwnScenario[],
  { channels }: FixtureFiles,
): Promise<FixtureProblem[]> {
  const problems: FixtureProblem[] = [];
  for (const [index, { path: file, scenario }] of scenarios.entries()) {
    const broken = await validate('fixtures/scenario', scenario);
    const findings = broken.length > 0 ? broken : await checkScenario(scenario, channels.channels);
    problems.push(...findings.map((finding) => ({ file, problem: sentenceOf(finding) })));
    const other = scenarios.slice(0, index).find((each) => each.scenario.name === scenario.name);
    if (other) {
      problems.push({ file, problem: `$.name: the scenario ${scenario.name} stands in ${other.path} already` });
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
