import fc from 'fast-check';
import { readCsv, reconcile } from '../../../examples/reconciliation/reconcile.ts';
import type { PaymentView, SettlementAnswerKey, SettlementFile } from '../../../src/base/schema/generated/control.ts';
import type { SettlementMistake } from '../../../src/base/schema/generated/records.ts';
import type { SandboxClient } from '../../../src/client/client.ts';
import { FILE_MISTAKES, isFileMistake } from '../../../src/server/domain/books/settlement-files/file-mistakes.ts';
import { LINE_MISTAKES } from '../../../src/server/domain/books/settlement-files/line-mistakes.ts';
import { cases } from '../../cases.ts';
import { post } from '../../interface/calls.ts';
import { exampleOf, MERCHANT } from '../../interface/examples.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';
import { requireDefined } from '../domain/workbench.ts';

type Line = SettlementFile['lines'][number];
type Finding = SettlementAnswerKey['findings'][number];

const NOW = '2026-03-06T10:00:00Z';
const KINDS = [...Object.keys(LINE_MISTAKES), ...Object.keys(FILE_MISTAKES)] as SettlementMistake[];
let sandbox: Sandbox;
let sessions = 0;

beforeAll(async () => {
  sandbox = await startSandbox({ checkAnswers: true });
});
afterAll(() => sandbox.close());

async function newSession(seed: string): Promise<SandboxClient> {
  sessions += 1;
  return sandbox.client.createSession(`mistakes-${sessions}`, { seed, now: NOW });
}

async function useMistakes(
  session: SandboxClient,
  kinds: readonly SettlementMistake[],
  totals: 'stay' | 'follow' = 'stay',
): Promise<void> {
  const rules = [{ when: { operation: 'closeSettlement' }, mismatches: { kinds, totals } }];
  await session.defineScenario({ name: 'mistakes', description: '', rules });
  await session.useScenario('mistakes');
}

async function makePaidPayment(
  session: SandboxClient,
  payerReference: string,
  members: object = {},
  outcome: 'Paid' | 'Failed' = 'Paid',
): Promise<void> {
  const order = { ...exampleOf('requests/single-payment', { payerReference, ...members }), ...MERCHANT };
  expect((await post('/sandbox/init/authenticate/merchant/wallet', order, session.baseUrl)).status).toBe(200);
  const { items } = await session.payments({ limit: '1' });
  await session.settle(requireDefined(items[0]).id, outcome);
}

const getFile = (session: SandboxClient, as: 'shown' | 'booked', id = 'settlement-1') =>
  session.call<SettlementFile>('GET', `/settlements/${id}/file?as=${as}`);
const getKey = (session: SandboxClient, id = 'settlement-1') =>
  session.call<SettlementAnswerKey>('GET', `/settlements/${id}/answer-key`);
const membersOf = ({ line: _, ...members }: Line) => JSON.stringify(members);

/** The members that a mistake in one line may change. */
const CHANGES: Record<string, (keyof Line)[]> = {
  fee: ['fee', 'feeMarkUp', 'net'],
  cent: ['gross', 'net'],
  date: ['businessDate', 'occurredAt'],
  currency: ['currency'],
  sign: ['gross', 'fee', 'net', 'feeMarkUp', 'feeServiceProvider', 'feeGateway', 'feePayout', 'feeChargeback'],
  reference: ['paymentReference'],
  net: ['net'],
  'corrected-file': ['fee', 'feeMarkUp', 'net'],
};

/** Checks each finding, removes its lines from `bookedLines`, and returns the lines of the shown file that no finding explains. */
function explain(
  findings: readonly Finding[],
  shown: readonly Line[],
  bookedLines: Line[],
  knownNames: ReadonlySet<string>,
  failed?: string,
) {
  const take = ({ reference, paymentId }: Pick<Finding, 'reference' | 'paymentId'>): Line => {
    const place = bookedLines.findIndex((line) => line.paymentReference === reference && line.paymentId === paymentId);
    return requireDefined(bookedLines.splice(place, 1)[0]);
  };
  for (const finding of findings) {
    const lines = finding.shownLines.map((number) => requireDefined(shown[number - 1]));
    const sum = (name: 'gross' | 'fee' | 'net') => lines.reduce((added, line) => added + line[name], 0);
    if (finding.kind === 'unknown') {
      const [line] = lines;
      expect([line?.paymentReference, line?.paymentId]).toEqual([finding.reference, finding.paymentId]);
      expect([knownNames.has(finding.reference), knownNames.has(finding.paymentId)]).toEqual([false, false]);
      continue;
    }
    if (finding.kind === 'status-conflict') {
      expect(lines.map(({ lineType, recordId }) => [lineType, recordId])).toEqual([['payment', failed]]);
      continue;
    }
    if (isFileMistake(finding.kind)) {
      expect([finding.reference, finding.shownLines]).toEqual(['settlement-1', []]);
      continue;
    }
    const line = take(finding);
    if (finding.kind === 'missing' || finding.kind === 'next-day') {
      expect([lines, shown.map(membersOf).includes(membersOf(line))]).toEqual([[], false]);
    } else if (finding.kind === 'doubled') {
      expect(lines.map(membersOf)).toEqual([membersOf(line), membersOf(line)]);
    } else if (finding.kind === 'merged') {
      const second = String(finding.expected).slice(`${finding.reference} + `.length);
      const other = requireDefined(
        bookedLines.splice(
          bookedLines.findIndex((each) => each.paymentReference === second),
          1,
        )[0],
      );
      expect([lines.length, sum('gross'), sum('net')]).toEqual([1, line.gross + other.gross, line.net + other.net]);
    } else if (finding.kind === 'split') {
      expect([lines.length, sum('gross'), sum('fee'), sum('net')]).toEqual([2, line.gross, line.fee, line.net]);
    } else {
      const [wrong] = lines;
      const changes = requireDefined(CHANGES[finding.kind]);
      const otherMembers = (each: Line) => ({
        ...each,
        line: 0,
        ...Object.fromEntries(changes.map((name) => [name, null])),
      });
      expect(otherMembers(requireDefined(wrong))).toEqual(otherMembers(line));
      const field = finding.field as keyof Line;
      expect([line[field], wrong?.[field]]).toEqual([finding.expected, finding.shown]);
      expect(finding.expected).not.toBe(finding.shown);
      expect(finding.kind === 'reference' && knownNames.has(String(finding.shown))).toBe(false);
    }
  }
  const explained = new Set(findings.flatMap(({ shownLines }) => shownLines));
  return shown.filter(({ line }) => !explained.has(line)).map(membersOf);
}

/** References as shops have them: many begin with another one, or are another one with additional zeros. */
const anyReference = fc.oneof(
  { arbitrary: fc.string({ unit: fc.constantFrom('0', '1'), minLength: 1, maxLength: 4 }), weight: 12 },
  fc.nat(40).map((number) => `ORDER-${number}`),
  fc.nat(120).map(String),
  fc.nat(1100).map((number) => `INV${String(number).padStart(4, '0')}`),
  fc.constantFrom('A', 'AB', 'ABC', 'ABCD'),
);
const anyChannel = fc.constantFrom(
  { walletName: 'WALLET_QR' },
  { walletName: 'WALLET_SWITCH' },
  { walletName: 'WALLET_MOBILE', payerMobile: '263770000001' },
);
const anyAmount = fc.integer({ min: 1, max: 5000 }).map((cents) => (cents / 100).toFixed(2));
const anyOrders = fc.uniqueArray(fc.tuple(anyReference, anyChannel, anyAmount), {
  minLength: 4,
  maxLength: 30,
  selector: ([reference]) => reference,
});

async function everyName(session: SandboxClient): Promise<Set<string>> {
  const { items } = await session.payments({ limit: '500' });
  const names = items.flatMap(({ payerReference, paymentId, paymentCode }) => [payerReference, paymentId, paymentCode]);
  return new Set(names.flatMap((name) => name ?? []));
}

it('the answer key explains every difference between a file and the payments; invented values belong to no payment', async () => {
  const anyKinds = fc
    .shuffledSubarray(KINDS)
    .map((kinds) => [...new Set<SettlementMistake>([...kinds, 'reference', 'unknown'])]);
  await fc.assert(
    fc.asyncProperty(anyOrders, anyKinds, fc.string({ minLength: 1, maxLength: 9 }), async (orders, kinds, seed) => {
      const session = await newSession(seed.trim() || 's');
      await useMistakes(session, kinds);
      for (const [reference, channel, amount] of orders) {
        await makePaidPayment(session, reference, { ...channel, amount });
      }
      await makePaidPayment(session, 'REFUSED-7', {}, 'Failed');
      const failed = (await session.payments({ limit: '1' })).items[0]?.id;
      await session.advance('P1D');
      const knownNames = await everyName(session);
      const [shown, booked, key] = await Promise.all([
        getFile(session, 'shown'),
        getFile(session, 'booked'),
        getKey(session),
      ]);
      const { items: payments } = await session.payments({ limit: '500' });
      const facts = booked.lines.filter(({ lineType }) => lineType === 'payment');
      expect(facts.map(({ paymentReference, gross, fee }) => [paymentReference, gross, fee])).toEqual(
        payments
          .filter(({ state }) => state === 'Paid')
          .map(factsOf)
          .reverse(),
      );
      const bookedLines = [...booked.lines];
      const unexplainedLines = explain(key.findings, shown.lines, bookedLines, knownNames, failed);
      expect(unexplainedLines.sort()).toEqual(bookedLines.map(membersOf).sort());
      const differences = key.findings.reduce((sum, { difference }) => sum + difference, 0);
      const net = (lines: readonly Line[]) => lines.reduce((sum, line) => sum + line.net, 0);
      expect(net(shown.lines) - net(booked.lines)).toBe(differences);
      expect([...key.findings.map(({ kind }) => kind), ...key.skipped].sort()).toEqual([...kinds].sort());
    }),
    { numRuns: cases(12) },
  );
});

function factsOf({ payerReference, amount, charges }: Pick<PaymentView, 'payerReference' | 'amount' | 'charges'>) {
  const cents = (decimal: string) => Math.round(Number(decimal) * 100);
  return [payerReference, cents(amount), 0 - cents(charges)];
}

it('the reconciliation example finds the mistakes of settlement-mismatches, for any seed', async () => {
  const ten = Array.from({ length: 10 }, (_, number) => `ORDER-${number + 1}`);
  const orders = new Map(ten.map((reference) => [reference, { amount: 1000, currency: 'USD', date: '2026-03-06' }]));
  await fc.assert(
    fc.asyncProperty(fc.uuid(), async (seed) => {
      const session = await newSession(seed);
      await session.useScenario('settlement-mismatches');
      for (const reference of ten) {
        await makePaidPayment(session, reference);
      }
      await session.advance('P1D');
      const answer = await fetch(`${session.baseUrl}/_sandbox/settlements/settlement-1/file?format=csv`);
      const findings = reconcile(orders, readCsv(await answer.text()));
      const key = await getKey(session);
      const expected = key.findings.map(({ kind, reference }) => ({
        kind: kind === 'next-day' ? 'missing' : kind,
        reference,
      }));
      const byText = (list: object[]) => list.map((each) => JSON.stringify(each)).sort();
      expect(byText(findings)).toEqual(byText(expected));
    }),
    { numRuns: cases(6) },
  );
});

it.each(['one', 'two', 'three', 'four'])('a reference is not shortened to another one (seed %s)', async (seed) => {
  const session = await newSession(seed);
  await useMistakes(session, ['reference']);
  for (const reference of ['1', '10', '100', '1000']) {
    await makePaidPayment(session, reference);
  }
  await session.advance('P1D');
  expect((await getKey(session)).findings).toMatchObject([{ kind: 'reference', shown: '' }]);
});

it('a settlement file and its answer key do not change after later orders', async () => {
  const session = await newSession('steady');
  await useMistakes(session, ['reference', 'unknown']);
  for (const reference of ['INV1001', 'INV1002', 'INV2003']) {
    await makePaidPayment(session, reference);
  }
  await session.call('POST', '/settlements/close', {});
  const before = [await getFile(session, 'shown'), await getKey(session)];
  // Uses each damaged reference for a new order.
  for (const reference of [
    'INV10',
    'INV20',
    'INV11',
    'INV12',
    'INV23',
    (await getKey(session)).findings[1]?.reference,
  ]) {
    await makePaidPayment(session, requireDefined(reference));
  }
  expect([await getFile(session, 'shown'), await getKey(session)]).toEqual(before);
});

it('a settlement file keeps its line for a failed payment, which has no ledger entry, even if the payment is paid later', async () => {
  const session = await newSession('conflict');
  await session.defineScenario({
    name: 'late',
    description: '',
    rules: [
      {
        when: { operation: 'initiatePayment' },
        settle: { outcome: 'Failed', after: 'PT1M' },
        lateOutcome: { outcome: 'Paid', after: 'P2D' },
      },
      { when: { operation: 'closeSettlement' }, mismatches: { kinds: ['status-conflict'], totals: 'stay' } },
    ],
  });
  await makePaidPayment(session, 'A');
  await session.useScenario('late');
  const order = { ...exampleOf('requests/single-payment', { payerReference: 'B', amount: '20.00' }), ...MERCHANT };
  await post('/sandbox/init/authenticate/merchant/wallet', order, session.baseUrl);
  await session.advance('P1D');
  // Without the bank statement, because the bank books the transfer between the two calls.
  const fileAndKey = async () =>
    [await getFile(session, 'shown'), { ...(await getKey(session)), statement: null }] as const;
  const before = await fileAndKey();
  const [{ lines }, { findings, skipped }] = before;
  expect(skipped).toEqual([]);
  expect(findings).toMatchObject([
    { kind: 'status-conflict', reference: 'B', field: 'state', expected: 'Failed', shown: 'Paid', shownLines: [2] },
  ]);
  expect([findings[0]?.difference, lines[1]?.gross]).toEqual([lines[1]?.net, 2000]);
  const entries = await session.list<{ id: string }>('ledger/entries', { limit: '1000' });
  expect(entries.items.map(({ id }) => id)).not.toContain(lines[1]?.entryId);
  await session.advance('P2D');
  expect((await session.payment('B')).state).toBe('Paid');
  expect(await fileAndKey()).toEqual(before);
});

it.each([
  ['stay', ['2', '15.20']],
  ['follow', ['1', '7.60']],
] as const)('a CSV totals row counts lines that its totals include, shown or not (%s)', async (totals, expected) => {
  const session = await newSession('counted');
  await useMistakes(session, ['missing'], totals);
  await makePaidPayment(session, 'A', { amount: '10.00' });
  await makePaidPayment(session, 'B', { amount: '10.00' });
  await session.advance('P1D');
  const answer = await fetch(`${session.baseUrl}/_sandbox/settlements/settlement-1/file?format=csv`);
  const rows = readCsv(await answer.text());
  expect(rows.map(({ record }) => record)).toEqual(['H', 'L', 'T']);
  expect([rows[2]?.['line'], rows[2]?.['net']]).toEqual(expected);
});

it('a hidden adjustment is only in the totals, and has no line', async () => {
  const session = await newSession('hidden');
  await useMistakes(session, ['hidden-adjustment', 'status-conflict']);
  await makePaidPayment(session, 'A');
  await session.advance('P1D');
  const [shown, booked, key] = [
    await getFile(session, 'shown'),
    await getFile(session, 'booked'),
    await getKey(session),
  ];
  const { transferred } = shown.totals;
  expect(transferred).toBeLessThan(booked.totals.transferred);
  expect({ ...shown, totals: { ...shown.totals, transferred: booked.totals.transferred } }).toEqual(booked);
  expect([key.findings, key.skipped]).toMatchObject([
    [{ kind: 'hidden-adjustment', field: 'transferred', expected: booked.totals.transferred, shown: transferred }],
    ['status-conflict'],
  ]);
});
