import { existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { codeOf, messageOf } from '../../base/errors.ts';
import { PACKAGE_ROOT } from '../../base/package.ts';
import type * as fixtures from '../../base/schema/generated/fixtures.ts';
import { didYouMean } from '../../base/text/nearest.ts';
import { parseJsonText, readText } from '../../base/written-file.ts';
import { FixtureError, type FixtureProblem } from './fixture-error.ts';

export const SHIPPED_FOLDER = `${PACKAGE_ROOT}fixtures/`;

const LEADS_NOWHERE = 'is a link to a missing file';

/** The content of each fixture file, by its name in the code. */
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

/** Folders in which each file defines one scenario or behaviour. */
export const FOLDERS = ['scenarios', 'behaviours'] as const;

/** Names that are ignored: notes, hidden files, and files and folders that editors and systems create. */
const IGNORED_NAMES = [
  /^\./,
  /\.md$/i,
  /~$/,
  /^#.*#$/,
  /\.(?:bak|orig|rej|sw[op]|tmp)$/i,
  /^(?:eh)?thumbs\.db$/i,
  /^desktop\.ini$/i,
  /^Icon\r$/,
  /^(?:lost\+found|__MACOSX|@eaDir|System Volume Information|\$RECYCLE\.BIN)$/,
];

export function isIgnored(name: string): boolean {
  return IGNORED_NAMES.some((pattern) => pattern.test(name));
}

/** The files of all scenarios, or of all behaviours. */
export function definitionFilesIn(folder: string, kind: (typeof FOLDERS)[number]): string[] {
  const names = readFolder(join(folder, kind)) ?? [];
  return names.flatMap((name) => (name.endsWith('.json') ? [join(folder, kind, name)] : [])).sort();
}

/** Problems about files with unknown names. Otherwise, a file with a misspelled name would silently have no effect. */
export function findUnknownFiles(folder: string): FixtureProblem[] {
  const names = readFolder(folder);
  if (!names) {
    throw new FixtureError(folder, existsSync(folder) ? 'is not a folder' : 'there is no such folder');
  }
  const files: string[] = Object.values(FILES);
  const expected = `known names are ${[...files].sort().join(', ')} and the folders ${FOLDERS.join(' and ')}`;
  const unknownNames = names.filter((name) => {
    const allowed: readonly string[] = isFolder(join(folder, name)) ? FOLDERS : files;
    return !allowed.includes(name);
  });
  return [
    ...unknownNames.map((name) => {
      const file = join(folder, name);
      const suggestion = didYouMean(name, [...files, ...FOLDERS]);
      return { file, problem: existsSync(file) ? `no fixture has this name; ${expected}${suggestion}` : LEADS_NOWHERE };
    }),
    ...FOLDERS.flatMap((kind) => findNonJsonFiles(folder, kind)),
  ];
}

function findNonJsonFiles(folder: string, kind: (typeof FOLDERS)[number]): FixtureProblem[] {
  const paths = (readFolder(join(folder, kind)) ?? []).map((name) => join(folder, kind, name));
  return paths
    .filter((path) => !path.endsWith('.json') || isFolder(path))
    .map((file) => ({ file, problem: `a ${kind.slice(0, -1)} is a file whose name ends in .json` }));
}

/** The names in a folder, without ignored ones; undefined if the folder does not exist. */
function readFolder(folder: string): string[] | undefined {
  try {
    return readdirSync(folder).filter((name) => !isIgnored(name));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(String(codeOf(error)))) {
      return undefined;
    }
    throw new FixtureError(folder, `cannot be read: ${messageOf(error)}`);
  }
}

/** Also true for a link to a folder. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // The error is reported when the file is read.
    return false;
  }
}

export interface JsonFile {
  text: string;
  json: unknown;
}

/** The JSON of a file; undefined if it does not exist. Throws FixtureError if it cannot be read, or is not JSON. */
export function readJsonIfExists(path: string): unknown {
  return readFileIfExists(path)?.json;
}

export function readFileIfExists(path: string): JsonFile | undefined {
  const text = readTextIfExists(path);
  try {
    return text === undefined ? undefined : { text, json: parseJsonText(text) };
  } catch (error) {
    throw new FixtureError(path, messageOf(error));
  }
}

function readTextIfExists(path: string): string | undefined {
  try {
    // Reading a pipe would wait for ever.
    if (!statSync(path).isFile()) {
      throw new Error('is not a file');
    }
    return readText(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') {
      throw new FixtureError(
        path,
        codeOf(error) === undefined ? messageOf(error) : `cannot be read: ${messageOf(error)}`,
      );
    }
  }
  if (lstatSync(path, { throwIfNoEntry: false })) {
    throw new FixtureError(path, LEADS_NOWHERE);
  }
  return undefined;
}

export interface FixtureFile {
  /** Its path below the folder, with slashes. */
  file: string;
  content: string;
}

/** All files that are read from a folder of fixtures. */
export function readFixtureFiles(folder: string): FixtureFile[] {
  const paths = [...Object.values(FILES), ...FOLDERS.flatMap((kind) => pathsIn(folder, kind))];
  return paths.flatMap((file) => {
    const content = readTextIfExists(join(folder, file));
    return content === undefined ? [] : [{ file, content }];
  });
}

function pathsIn(folder: string, kind: (typeof FOLDERS)[number]): string[] {
  return definitionFilesIn(folder, kind).map((path) => `${kind}/${basename(path)}`);
}
