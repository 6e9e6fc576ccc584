import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { codeOf, messageOf } from '../base/errors.ts';
import { PACKAGE_ROOT } from '../base/package.ts';
import type * as fixtures from '../base/schema/fixtures.ts';
import { FixtureError, type FixtureProblem } from './fixture-error.ts';

export const SHIPPED = `${PACKAGE_ROOT}fixtures/`;

/** What a fixture file holds, for each name that the code calls it by. */
export interface FixtureFiles {
  channels: fixtures.ChannelsFixture;
  merchants: fixtures.MerchantsFixture;
  fees: fixtures.FeesFixture;
  ledger: fixtures.LedgerFixture;
  settlement: fixtures.SettlementFixture;
  currencies: fixtures.CurrenciesFixture;
  banks: fixtures.BanksFixture;
  paymentIntervals: fixtures.PaymentIntervalsFixture;
  paymentStates: fixtures.PaymentStatesFixture;
  times: fixtures.TimesFixture;
  errors: fixtures.ErrorsFixture;
  operations: fixtures.OperationsFixture;
  webhookSamples: fixtures.WebhookSamplesFixture;
  testCards: fixtures.TestCardsFixture;
  payouts: fixtures.PayoutsFixture;
  phone: fixtures.PhoneFixture;
  adjustments: fixtures.AdjustmentsFixture;
  payerLimits: fixtures.PayerLimitsFixture;
  shopCodes: fixtures.ShopCodesFixture;
}

/** The files by these names. */
export const FILES: Readonly<Record<keyof FixtureFiles, string>> = {
  channels: 'channels.json',
  merchants: 'merchants.json',
  fees: 'fees.json',
  ledger: 'ledger.json',
  settlement: 'settlement.json',
  currencies: 'currencies.json',
  banks: 'banks.json',
  paymentIntervals: 'payment-intervals.json',
  paymentStates: 'payment-states.json',
  times: 'times.json',
  errors: 'errors.json',
  operations: 'operations.json',
  webhookSamples: 'webhook-samples.json',
  testCards: 'test-cards.json',
  payouts: 'payouts.json',
  phone: 'phone.json',
  adjustments: 'adjustments.json',
  payerLimits: 'payer-limits.json',
  shopCodes: 'shop-codes.json',
};

/** Folders of files that each define one, by its name. */
const FOLDERS = ['scenarios', 'behaviours'] as const;
/** Notes, and what editors and systems leave behind. */
const IGNORED = /^\.|~$|\.md$/i;

/** The scenario or behaviour files in a folder; none where it has no such folder. */
export function namedFilesIn(folder: string, kind: (typeof FOLDERS)[number]): string[] {
  const entries = entriesOf(join(folder, kind)) ?? [];
  return entries.flatMap(({ name }) => (name.endsWith('.json') ? [join(folder, kind, name)] : [])).sort();
}

/** Files that nothing reads: a name with a slip of the pen would change nothing, and nobody would know why. */
export function unknownFilesIn(folder: string): FixtureProblem[] {
  const entries = entriesOf(folder);
  if (!entries) {
    throw new FixtureError(folder, 'there is no such folder');
  }
  const known: string[] = Object.values(FILES);
  const expected = `there are ${[...known].sort().join(', ')} and the folders ${FOLDERS.join(' and ')}`;
  const unknown = entries.filter((entry) =>
    entry.isDirectory() ? !FOLDERS.some((kind) => kind === entry.name) : !known.includes(entry.name),
  );
  return [
    ...unknown.map(({ name }) => ({ file: join(folder, name), problem: `no fixture has this name; ${expected}` })),
    ...FOLDERS.flatMap((kind) =>
      (entriesOf(join(folder, kind)) ?? [])
        .filter((entry) => entry.isDirectory() || !entry.name.endsWith('.json'))
        .map(({ name }) => ({
          file: join(folder, kind, name),
          problem: `a ${kind.slice(0, -1)} is a file whose name ends in .json`,
        })),
    ),
  ];
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !IGNORED.test(name));
  } catch {
    return undefined;
  }
}

/** The JSON of a file; undefined where there is no such file. Throws FixtureError where it cannot be read. */
export function readJsonIfThere(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') {
      return undefined;
    }
    throw new FixtureError(path, `cannot be read: ${messageOf(error)}`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new FixtureError(path, `is not JSON: ${messageOf(error)}`);
  }
}

/** A fixture file as it stands in its folder. */
export interface FixtureFile {
  /** Its path below the folder, with slashes. */
  file: string;
  content: string;
}

/** All files that are read from a folder of fixtures. */
export function filesIn(folder: string): FixtureFile[] {
  const paths = [...Object.values(FILES), ...FOLDERS.flatMap((kind) => pathsIn(folder, kind))];
  return paths.flatMap((file) => {
    try {
      return [{ file, content: readFileSync(join(folder, file), 'utf8') }];
    } catch (error) {
      if (codeOf(error) === 'ENOENT') {
        return [];
      }
      throw new FixtureError(join(folder, file), `cannot be read: ${messageOf(error)}`);
    }
  });
}

function pathsIn(folder: string, kind: (typeof FOLDERS)[number]): string[] {
  return namedFilesIn(folder, kind).map((path) => `${kind}/${basename(path)}`);
}
