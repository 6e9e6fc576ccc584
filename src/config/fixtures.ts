import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../package.ts';
import type { Finding } from '../refusal.ts';
import type {
  BanksFixture,
  ChannelsFixture,
  CurrenciesFixture,
  ErrorsFixture,
  FeesFixture,
  MerchantsFixture,
  OperationsFixture,
  PaymentIntervalsFixture,
  PaymentStatesFixture,
  PhoneFixture,
  ScenarioFixture,
  TestCardsFixture,
  TimesFixture,
  WebhookSamplesFixture,
} from '../schema/fixtures.ts';
import { matchesSchema } from '../schema/given-schema.ts';
import type { Merchant } from '../schema/records.ts';
import { validate } from '../schema/validation.ts';

const SHIPPED = `${PACKAGE_ROOT}fixtures/`;

/** Each fixture file by the name it has in the code. */
const FILES = {
  channels: 'channels.json',
  merchants: 'merchants.json',
  fees: 'fees.json',
  currencies: 'currencies.json',
  banks: 'banks.json',
  paymentIntervals: 'payment-intervals.json',
  paymentStates: 'payment-states.json',
  times: 'times.json',
  errors: 'errors.json',
  operations: 'operations.json',
  webhookSamples: 'webhook-samples.json',
  testCards: 'test-cards.json',
  phone: 'phone.json',
} as const;

interface FixtureFiles {
  channels: ChannelsFixture;
  merchants: MerchantsFixture;
  fees: FeesFixture;
  currencies: CurrenciesFixture;
  banks: BanksFixture;
  paymentIntervals: PaymentIntervalsFixture;
  paymentStates: PaymentStatesFixture;
  times: TimesFixture;
  errors: ErrorsFixture;
  operations: OperationsFixture;
  webhookSamples: WebhookSamplesFixture;
  testCards: TestCardsFixture;
  phone: PhoneFixture;
}

export type Channel = ChannelsFixture['channels'][number];
export type Scenario = ScenarioFixture;

/** A fixture file that cannot be used, with everything that is wrong in it. */
export class FixtureError extends Error {
  readonly file: string;
  readonly findings: readonly Finding[];

  constructor(file: string, problem: string, findings: readonly Finding[] = []) {
    super(`${file}: ${problem}`);
    this.name = 'FixtureError';
    this.file = file;
    this.findings = findings;
  }
}

/** What the sandbox answers with, as data: the shipped fixtures, overlaid by the user's. Never changed once made. */
export interface Fixtures extends FixtureFiles {
  /** Scenarios by name. */
  scenarios: ReadonlyMap<string, Scenario>;
  channel(id: string): Channel | undefined;
  /** The channel that a wallet name means, upper or lower case. */
  channelByName(walletName: string): Channel | undefined;
  merchant(id: string): Merchant | undefined;
}

/**
 * Reads the shipped fixtures and lays the user's folder over them, file by file: objects are merged, lists of things that
 * have an id (or name, or code) are merged by it, any other list replaces. Only what the user wrote is checked: the
 * shipped files are checked by the tests. Throws FixtureError.
 */
export async function loadFixtures(folder?: string): Promise<Fixtures> {
  const files = Object.fromEntries(
    await Promise.all(
      Object.entries(FILES).map(async ([name, file]) => [name, await readOverlaid(file, folder)] as const),
    ),
  );
  const scenarios = new Map<string, Scenario>();
  for (const source of folder === undefined ? [SHIPPED] : [SHIPPED, folder]) {
    for (const scenario of await readScenarios(source)) {
      scenarios.set(scenario.name, scenario);
    }
  }
  return assemble(files as unknown as FixtureFiles, scenarios);
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

async function readOverlaid(file: string, folder: string | undefined): Promise<unknown> {
  const shipped = readJson(join(SHIPPED, file));
  if (folder === undefined) {
    return shipped;
  }
  const path = join(folder, file);
  const own = readJsonIfThere(path);
  if (own === undefined) {
    return shipped;
  }
  const merged = overlay(shipped, own);
  await check(path, `fixtures/${file.replace('.json', '')}`, merged);
  return merged;
}

async function readScenarios(folder: string): Promise<Scenario[]> {
  const path = join(folder, 'scenarios');
  let names: string[];
  try {
    names = readdirSync(path).filter((name) => name.endsWith('.json'));
  } catch {
    return [];
  }
  return Promise.all(
    names.sort().map(async (name) => {
      const scenario = readJson(join(path, name));
      if (folder !== SHIPPED) {
        await check(join(path, name), 'fixtures/scenario', scenario);
        await checkBodySchemas(join(path, name), scenario as Scenario);
      }
      return scenario as Scenario;
    }),
  );
}

/** The schemas in a scenario's rules must be schemas, found out now and not with the first call. */
async function checkBodySchemas(file: string, { rules }: Scenario): Promise<void> {
  for (const [index, { when }] of rules.entries()) {
    try {
      await matchesSchema(when?.body ?? {}, null);
    } catch (error) {
      throw new FixtureError(
        file,
        `$.rules[${index}].when.body is no JSON Schema: ${error instanceof Error ? error.message : error}`,
      );
    }
  }
}

async function check(file: string, schema: string, value: unknown): Promise<void> {
  const findings = await validate(schema, value);
  if (findings.length > 0) {
    const sentences = findings.map(
      ({ path, expected, received }) => `${path}: expected ${expected}, received ${received}`,
    );
    throw new FixtureError(file, sentences.join('; '), findings);
  }
}

function readJson(path: string): unknown {
  const value = readJsonIfThere(path);
  if (value === undefined) {
    throw new FixtureError(path, 'there is no such file');
  }
  return value;
}

function readJsonIfThere(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new FixtureError(path, `is not JSON: ${error instanceof Error ? error.message : error}`);
  }
}

type Keyed = Record<string, unknown>;

/** Lays one JSON value over another; see loadFixtures for the rule. */
export function overlay(below: unknown, above: unknown): unknown {
  if (Array.isArray(below) && Array.isArray(above)) {
    return overlayLists(below, above);
  }
  if (isObject(below) && isObject(above)) {
    const keys = new Set([...Object.keys(below), ...Object.keys(above)]);
    return Object.fromEntries(
      [...keys].map((key) => [key, key in above ? overlay(below[key], above[key]) : below[key]]),
    );
  }
  return above;
}

function overlayLists(below: unknown[], above: unknown[]): unknown[] {
  const key = ['id', 'name', 'channel'].find((name) =>
    [...below, ...above].every((item) => isObject(item) && name in item),
  );
  if (key === undefined) {
    return above;
  }
  const added = new Map((above as Keyed[]).map((item) => [item[key], item]));
  const kept = (below as Keyed[]).map((item) => (added.has(item[key]) ? overlay(item, added.get(item[key])) : item));
  const known = new Set((below as Keyed[]).map((item) => item[key]));
  return [...kept, ...(above as Keyed[]).filter((item) => !known.has(item[key]))];
}

function isObject(value: unknown): value is Keyed {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
