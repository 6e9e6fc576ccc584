import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { play } from '../../scripts/check-money/play.mjs';
import { askTheModel, hasPython } from '../../scripts/check-money/python.mjs';
import { writeTerms } from '../../scripts/check-money/terms.mjs';
import { startSandbox } from '../sandbox.ts';
import { requireDefined } from '../server/domain/workbench.ts';
import { temporaryFolders } from '../temporary-folder.ts';

// A check that never fails is useless, so each gets histories with one wrong value, which it must report.

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };
type Path = readonly (string | number)[];

/** The members whose wrong values each check must report; default: every member of the source. */
const CHECKED_MEMBERS: Record<string, { source: string; paths?: Path[] }> = {
  answer_keys: {
    source: 'files',
    paths: [
      ['settlement-1', 'answerKey', 'findings', 0, 'difference'],
      ['settlement-1', 'shown', 'lines', 0, 'gross'],
      ['settlement-3', 'answerKey', 'version'],
    ],
  },
  balance_days: { source: 'balanceDays' },
  balances: { source: 'balances' },
  csv_files: {
    source: 'files',
    paths: [
      ['settlement-1', 'shownCsv'],
      ['settlement-1', 'bookedCsv'],
    ],
  },
  days: {
    source: 'settlements',
    paths: [
      [0, 'businessDate'],
      [0, 'cutOff'],
      [0, 'valueDate'],
    ],
  },
  ids: {
    source: 'files',
    paths: [
      ['settlement-1', 'booked', 'lines', 0, 'sourceId'],
      ['settlement-1', 'booked', 'lines', 0, 'entryId'],
    ],
  },
  invoices: { source: 'invoices' },
  ledger: {
    source: 'entries',
    paths: [
      [0, 'at'],
      [0, 'postings', 0, 'account'],
      [0, 'postings', 0, 'amount'],
    ],
  },
  lines: {
    source: 'files',
    paths: [
      ['settlement-1', 'booked', 'lines', 0, 'feeMarkUp'],
      ['settlement-1', 'booked', 'totals', 'count'],
      ['settlement-1', 'booked', 'totals', 'transferred'],
    ],
  },
  records: {
    source: 'payments',
    paths: [
      [0, 'amount'],
      [0, 'fees', 'markUp'],
      [0, 'payerReference'],
    ],
  },
  statements: {
    source: 'files',
    paths: [
      ['settlement-1', 'statement', 'closing'],
      ['settlement-1', 'bookedStatement', 'entries', 0, 'amount'],
      ['settlement-1', 'mt940'],
    ],
  },
};

it('each check of the model has a mistake that it must detect', () => {
  const files = readdirSync('test/model/checks').filter((name) => name.endsWith('.py'));
  expect(Object.keys(CHECKED_MEMBERS).sort()).toEqual(files.map((name) => name.replace('.py', '')).sort());
});

const pay = {
  step: 'pay',
  channel: 'WALLET_QR',
  merchant: 'M-1000',
  amount: 1000,
  reference: null,
  split: null,
  ending: 'auto-approve',
  isTest: false,
  isSandbox: false,
  currency: 'USD',
};
const advance = (by: string) => ({ step: 'advance', by });
/** It has a file with a mistake, a negative balance that is invoiced, a month that has ended, and one with an open settlement. */
const HISTORY = {
  seed: 'spoilt',
  terms: 'shipped-invoice',
  start: '2026-03-27T10:00:00.000Z',
  scenario: 'settlement-mismatches',
  runsOut: false,
  steps: [
    ...Array.from({ length: 9 }, () => pay),
    { ...pay, merchant: 'M-1001', amount: 100 },
    advance('PT3S'),
    advance('P1D'),
    { step: 'shippedMistakes', name: 'settlement-corrected' },
    pay,
    advance('P8D'),
    pay,
    advance('PT3S'),
  ],
};

if (hasPython()) {
  const folder = temporaryFolders()();
  const mutations: { check: string; path: Path }[] = [];
  let disagreeingChecks: Set<string>[];

  beforeAll(async () => {
    const terms = join(folder, 'terms');
    const history = await playHistory(terms);
    for (const [check, { source, paths }] of Object.entries(CHECKED_MEMBERS)) {
      const members = paths ?? membersOf(history[source] ?? null);
      mutations.push(...members.map((path) => ({ check, path: [source, ...path] })));
    }
    disagreeingChecks = await checksThatDisagree(terms, [
      history,
      ...mutations.map(({ path }) => withWrongValueAt(history, path)),
    ]);
  });

  async function playHistory(terms: string): Promise<Record<string, Json>> {
    const { overlay } = requireDefined(writeTerms(terms, 1)[HISTORY.terms]);
    const sandbox = await startSandbox({ fixtures: overlay, logLevel: 'error' });
    return play(HISTORY, sandbox, ['USD']).finally(() => sandbox.close());
  }

  /** Resolves with the names of the checks that disagree with each history. */
  async function checksThatDisagree(terms: string, histories: Json[]): Promise<Set<string>[]> {
    const file = join(folder, 'histories.jsonl');
    // A history is identified by its seed, which its answer keys contain as well.
    const seedText = JSON.stringify(HISTORY.seed);
    const lines = histories.map((each, number) => `${JSON.stringify(each).replaceAll(seedText, `"${number}"`)}\n`);
    writeFileSync(file, lines.join(''));
    const { disagreements }: { disagreements: { seed: string; check: string }[] } = await askTheModel(file, terms);
    return histories.map(
      (_, number) => new Set(disagreements.flatMap(({ seed, check }) => (seed === String(number) ? check : []))),
    );
  }

  it('the model accepts a history as it was played', () => {
    expect(disagreeingChecks[0]).toEqual(new Set());
  });

  it.each(Object.keys(CHECKED_MEMBERS))('the check of %s detects a wrong history', (name) => {
    const cases = mutations.flatMap(({ check, path }, at) =>
      check === name ? { path, seen: disagreeingChecks[at + 1] } : [],
    );
    expect(cases.length).toBeGreaterThan(1);
    expect(cases.filter(({ seen }) => !seen?.has(name)).map(({ path }) => path.join('/'))).toEqual([]);
  });
}

/** A path to the first occurrence of each member. */
function membersOf(value: Json): Path[] {
  const paths = new Map<string, Path>();
  const visit = (each: Json, path: Path): void => {
    if (each === null || typeof each !== 'object') {
      const name = path.filter((step) => typeof step === 'string').join('/');
      paths.set(name, paths.get(name) ?? path);
    } else if (Array.isArray(each)) {
      each.map((item, at) => visit(item, [...path, at]));
    } else {
      Object.entries(each).map(([name, member]) => visit(member, [...path, name]));
    }
  };
  visit(value, []);
  return [...paths.values()];
}

function withWrongValueAt(value: Json, [step, ...rest]: Path): Json {
  if (step === undefined) {
    return differentValue(value);
  }
  if (Array.isArray(value)) {
    return value.map((item, at) => (at === step ? withWrongValueAt(item, rest) : item));
  }
  if (value === null || typeof value !== 'object' || value[step] === undefined) {
    throw new Error(`there is no ${step} in ${JSON.stringify(value)}`);
  }
  return { ...value, [step]: withWrongValueAt(value[step], rest) };
}

/** A different value of the same form: 7.60 → 7.61. */
function differentValue(value: Json): Json {
  if (typeof value === 'number') {
    return value + 1;
  }
  if (typeof value !== 'string') {
    return 'another';
  }
  return value.replace(/.(?=\D*$)/s, (last) => (/\d/.test(last) ? String((Number(last) + 1) % 10) : `${last}?`));
}
