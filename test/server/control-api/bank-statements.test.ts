import fc from 'fast-check';
import request from 'supertest';
import type { BankStatement, SettlementAnswerKey, SettlementFile } from '../../../src/base/schema/generated/control.ts';
import type { SandboxClient } from '../../../src/client/client.ts';
import { cases } from '../../cases.ts';
import { post } from '../../interface/calls.ts';
import { exampleOf, MERCHANT } from '../../interface/examples.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';
import { requireDefined } from '../domain/workbench.ts';

/** A Monday. */
const NOW = '2026-03-02T10:00:00Z';
let sandbox: Sandbox;
let sessions = 0;

beforeAll(async () => {
  sandbox = await startSandbox({ checkAnswers: true });
});
afterAll(() => sandbox.close());

async function newSession(seed = 'sandbox'): Promise<SandboxClient> {
  sessions += 1;
  return sandbox.client.createSession(`statements-${sessions}`, { seed, now: NOW });
}

async function makePaidPayment(session: SandboxClient, payerReference: string, amount: string): Promise<void> {
  const order = { ...exampleOf('requests/single-payment', { payerReference, amount }), ...MERCHANT };
  expect((await post('/sandbox/init/authenticate/merchant/wallet', order, session.baseUrl)).status).toBe(200);
  await session.settle(payerReference, 'Paid');
}

const get = ({ baseUrl }: SandboxClient, path: string) => request(baseUrl).get(`/_sandbox/settlements/${path}`);
const statementOf = (session: SandboxClient, id: string, query = '') =>
  session.call<BankStatement>('GET', `/settlements/${id}/statement${query}`);
const keyOf = (session: SandboxClient, id: string, query = '') =>
  session.call<SettlementAnswerKey>('GET', `/settlements/${id}/answer-key${query}`);
const fileOf = (session: SandboxClient, id: string) => session.call<SettlementFile>('GET', `/settlements/${id}/file`);

it('a bank statement is refused with the reason before the bank has booked the transfer', async () => {
  const session = await newSession();
  await makePaidPayment(session, 'A', '1.00');
  const refusal = async () => {
    const { status, body } = await get(session, 'settlement-1/statement');
    return [status, body.title, body.detail];
  };
  expect(await refusal()).toEqual([
    409,
    'conflict',
    expect.stringMatching(/^settlement-1 is open: nothing is transferred before/),
  ]);
  await session.advance('P1D');
  expect(await refusal()).toEqual([
    409,
    'conflict',
    expect.stringContaining('it was carried over to the next settlement'),
  ]);
  expect((await keyOf(session, 'settlement-1')).statement).toBeNull();
  // With a date, the statement of that day is shown, whatever the state of the settlement.
  const { entries, opening, status } = await statementOf(session, 'settlement-1', '?date=2026-03-02');
  expect([entries, opening, status]).toEqual([[], 0, 'final']);
  expect((await keyOf(session, 'settlement-1', '?date=2026-03-02')).statement?.findings).toEqual([]);
  await makePaidPayment(session, 'B', '10.00');
  await session.advance('PT13H');
  const inTransit = await get(session, 'settlement-2/statement');
  expect([inTransit.status, inTransit.body.detail]).toEqual([
    409,
    'the transfer of settlement-2 is on its way: the bank books it on 2026-03-04',
  ]);
  await session.advance('P1D');
  expect((await statementOf(session, 'settlement-2')).entries).toMatchObject([
    { amount: 656, reference: 'settlement-2' },
  ]);
  const tomorrow = await get(session, 'settlement-2/statement?date=2026-03-06');
  expect([tomorrow.status, tomorrow.body.detail]).toEqual([
    409,
    "there is no statement of 2026-03-06 yet: the session's clock shows 2026-03-05",
  ]);
  await session.call('PUT', '/clock', { mode: 'frozen', now: NOW });
  const before = await get(session, 'settlement-2/statement');
  expect([before.status, before.body.detail]).toEqual([
    409,
    "the bank books settlement-2 on 2026-03-04, and the session's clock shows 2026-03-02",
  ]);
});

it('a bank statement carries its balance from day to day, with a debit on the day a transfer is returned', async () => {
  const session = await newSession();
  for (const reference of ['A', 'B']) {
    await makePaidPayment(session, reference, '10.00');
    await session.advance('P1D');
  }
  await session.advance('P1D');
  await session.call('POST', '/settlements/settlement-1/return', { code: 'AC04', description: 'Account <closed>' });
  await makePaidPayment(session, 'C', '20.00');
  await session.advance('P7D');
  const days = ['2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05', '2026-03-06'];
  const statements = await Promise.all(days.map((date) => statementOf(session, 'settlement-1', `?date=${date}`)));
  expect(
    statements.map(({ opening, closing, entries }) => [opening, entries.map(({ amount }) => amount), closing]),
  ).toEqual([
    [0, [], 0],
    [0, [760], 760],
    [760, [760], 1520],
    [1520, [-760], 760],
    [760, [2480], 3240],
  ]);
  expect(statements[3]?.entries).toMatchObject([
    { type: 'return', direction: 'debit', code: 'AC04', settlementId: 'settlement-1' },
  ]);
  const { text } = await get(session, 'settlement-1/statement?date=2026-03-05&format=camt.053').buffer();
  expect(text).toContain('<SubFmlyCd>RRTN</SubFmlyCd>');
  expect(text).toContain('<AddtlInf>Account &lt;closed&gt;</AddtlInf>');
});

describe('payouts from the bank account that receives the settlements', () => {
  /** Pays out two credits: one fails, and the other is returned after two days, because of their account numbers. */
  async function payOut(session: SandboxClient): Promise<void> {
    const credit = {
      creditBankName: 'First Sandbox Bank',
      creditBankBICCode: 'FSBKZZ22',
      creditAccountName: 'A receiver',
    };
    const order = exampleOf('requests/bulk-payout', {
      debitBankBICCode: 'FSBKZZ22',
      debitAccountNumber: MERCHANT.merchantId,
      debitTotalAmount: 50,
      payerReference: 'PAYOUT-1',
      dynamicCreditList: [
        { ...credit, creditAccountNumber: '9000000002', creditAmount: 20 },
        { ...credit, creditAccountNumber: '9100000001', creditAmount: 30 },
      ],
    });
    const answer = await post(
      '/sandbox/init/authenticate/merchant/bulkPayment',
      { ...order, ...MERCHANT },
      session.baseUrl,
    );
    expect(answer.status).toBe(200);
  }

  async function sessionWithPayout(): Promise<SandboxClient> {
    const session = await newSession();
    await makePaidPayment(session, 'A', '100.00');
    await session.advance('P2D');
    await payOut(session);
    await session.advance('P5D');
    return session;
  }

  it('are in the bank statements, whose last closing balance is that of the ledger', async () => {
    const session = await sessionWithPayout();
    const days = ['2026-03-03', '2026-03-04', '2026-03-05', '2026-03-06'];
    const statements = await Promise.all(days.map((date) => statementOf(session, 'settlement-1', `?date=${date}`)));
    expect(
      statements.map(({ opening, closing, entries }) => [
        opening,
        entries.map(({ type, amount, credit, code }) => [type, amount, credit, code]),
        closing,
      ]),
    ).toEqual([
      [0, [['transfer', 9400, undefined, '']], 9400],
      [
        9400,
        [
          ['payout', -5000, undefined, ''],
          ['payout-return', 2000, 1, 'AC04'],
        ],
        6400,
      ],
      [6400, [], 6400],
      [6400, [['payout-return', 3000, 2, 'AC04']], 9400],
    ]);
    const { items } = await session.call<{ items: { account: string; balance: string }[] }>('GET', '/ledger/accounts');
    expect(items.find(({ account }) => account === 'bank:FSBKZZ22:M-1000')?.balance).toBe('94.00');
    expect(statements[1]?.entries).toMatchObject([
      { payoutId: 'payout-1', reference: 'PAYOUT-1', direction: 'debit', counterparty: '' },
      { payoutId: 'payout-1', reference: 'PAYOUT-1', direction: 'credit' },
    ]);
  });

  it('are in the bank statement in each format', async () => {
    const session = await sessionWithPayout();
    const textAs = async (format: string) =>
      (await get(session, `settlement-1/statement?date=2026-03-04&format=${format}`).buffer()).text;
    const camt = await textAs('camt.053');
    expect(camt.match(/<Cd>(ICDT|RCDT)<\/Cd>|<SubFmlyCd>\w+/g)).toEqual([
      '<Cd>ICDT</Cd>',
      '<SubFmlyCd>DMCT',
      '<Cd>ICDT</Cd>',
      '<SubFmlyCd>RRTN',
    ]);
    expect(camt).toContain('<TtlDbtNtries>\n          <NbOfNtries>1</NbOfNtries>\n          <Sum>50.00</Sum>');
    expect(await textAs('mt940')).toMatch(/^:61:2603040304D50,00NTRFPAYOUT-1\/\/\w{16}\r\n:86:\/EREF\/PAYOUT-1\//m);
    expect(await textAs('mt940')).toMatch(/^:62F:C260304USD64,00\r$/m);
    expect(await textAs('csv')).toMatch(/^E,.*,-50\.00,debit,44\.00,.*,payout-1,$/m);
    expect(await textAs('csv')).toMatch(/^E,.*,20\.00,credit,64\.00,.*,payout-1,1$/m);
  });
});

it('a bank statement is sent in the requested format with its media type; an unknown format is a 400', async () => {
  const session = await newSession();
  await makePaidPayment(session, 'A', '10.00');
  await session.advance('P2D');
  const typeAndSecondLineOf = async (format: string) => {
    const { headers, text } = await get(session, `settlement-1/statement?format=${format}`).buffer();
    return [headers['content-type'], text.split('\n')[1]?.trimEnd()];
  };
  expect(await typeAndSecondLineOf('camt.053')).toEqual([
    'application/xml; charset=utf-8',
    '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">',
  ]);
  expect(await typeAndSecondLineOf('mt940')).toEqual(['text/plain; charset=utf-8', ':25:FSBKZZ22/M-1000']);
  expect(await typeAndSecondLineOf('csv')).toEqual([
    'text/csv; charset=utf-8; header=present',
    expect.stringMatching(/^O,\w{16},final,2026-03-03,,FSBKZZ22,M-1000,USD,/),
  ]);
  expect((await get(session, 'settlement-1/statement?format=pdf')).status).toBe(400);
  expect(await session.bankStatement('settlement-1', { format: 'mt940' })).toContain(':62F:C260303USD7,60\r\n');
});

it('a bank statement is preliminary until its day has ended, and shows that in each format', async () => {
  const session = await newSession();
  await makePaidPayment(session, 'A', '10.00');
  await session.advance('PT22H');
  const { id, createdAt, status, closing } = await statementOf(session, 'settlement-1');
  expect([createdAt, status, closing]).toEqual(['2026-03-03T08:00:00.000Z', 'preliminary', 760]);
  const textAs = async (format: string) =>
    (await get(session, `settlement-1/statement?format=${format}`).buffer()).text;
  expect(await textAs('camt.053')).toContain('<Cd>ITBD</Cd>');
  expect(await textAs('mt940')).toContain(':62M:C260303USD7,60\r\n');
  await session.call('POST', '/settlements/settlement-1/return', {});
  await session.advance('PT14H');
  expect(await statementOf(session, 'settlement-1')).toMatchObject({
    id,
    status: 'final',
    createdAt: '2026-03-03T22:00:00.000Z',
    opening: 0,
    closing: 0,
    entries: [{ amount: 760 }, { amount: -760 }],
  });
  expect(await textAs('camt.053')).toContain('<Cd>CLBD</Cd>');
  expect(await textAs('mt940')).toContain(':62F:C260303USD0,00\r\n');
  const laterStatement = await statementOf(session, 'settlement-1');
  await session.advance('P1D');
  expect(await statementOf(session, 'settlement-1')).toEqual(laterStatement);
});

it('a bank statement never shows a return before it shows the transfer', async () => {
  const session = await newSession();
  const rule = { when: { operation: 'closeSettlement' }, mismatches: { bank: ['late'] } };
  await session.defineScenario({ name: 'bank-late', description: 'The bank is late.', rules: [rule] });
  await session.useScenario('bank-late');
  await makePaidPayment(session, 'A', '10.00');
  await session.advance('PT22H');
  await session.useScenario('payer-decides');
  await session.call('POST', '/settlements/settlement-1/return', {});
  await session.advance('P2D');
  const days = ['2026-03-03', '2026-03-04'];
  const amounts = days.map(async (date) =>
    (await statementOf(session, 'settlement-1', `?date=${date}`)).entries.map(({ amount }) => amount),
  );
  expect(await Promise.all(amounts)).toEqual([[], [760, -760, 760]]);
  const kinds = days.map(async (date) =>
    (await keyOf(session, 'settlement-1', `?date=${date}`)).statement?.findings.map(({ kind, difference }) => [
      kind,
      difference,
    ]),
  );
  expect(await Promise.all(kinds)).toEqual([
    [
      ['late', -760],
      ['late', 760],
    ],
    [
      ['arrived', 760],
      ['arrived', -760],
    ],
  ]);
});

interface ReconciliationFinding {
  kind: string;
  settlementId: string;
  difference: number;
}

/**
 * Reconciles as a finance department does: a shop's orders, by business date, with the files, and the files with the statements.
 * It knows neither the books nor the seed.
 */
function reconcile(
  orders: ReadonlyMap<string, readonly number[]>,
  files: readonly SettlementFile[],
  statements: readonly BankStatement[],
): ReconciliationFinding[] {
  const findings: ReconciliationFinding[] = [];
  const fee = (amount: number) => Math.floor((amount * 4 + 50) / 100) + 200;
  const due = new Map<string, { amount: number; date: string }>();
  for (const { header, totals } of files) {
    const expectedNet = (orders.get(header.businessDate) ?? []).reduce((sum, amount) => sum + amount - fee(amount), 0);
    expect([header.settlementId, totals.net]).toEqual([header.settlementId, expectedNet]);
    if (header.valueDate !== null) {
      due.set(header.settlementId, { amount: totals.transferred, date: header.valueDate });
    }
  }
  const bookedIds = new Set<string>();
  for (const { date, entries } of statements) {
    for (const [settlementId, { amount }] of [...due].filter((each) => each[1].date === date)) {
      if (!entries.some(({ reference }) => reference === settlementId)) {
        findings.push({ kind: 'late', settlementId, difference: 0 - amount });
      }
    }
    for (const { reference: settlementId, amount } of entries) {
      const expected = due.get(settlementId);
      if (!expected) {
        findings.push({ kind: 'unknown-credit', settlementId, difference: amount });
      } else if (bookedIds.has(settlementId)) {
        findings.push({ kind: 'twice', settlementId, difference: amount });
      } else if (expected.date < date) {
        findings.push({ kind: 'arrived', settlementId, difference: amount });
      } else if (amount !== expected.amount) {
        findings.push({ kind: 'short', settlementId, difference: amount - expected.amount });
      }
      bookedIds.add(settlementId);
    }
  }
  return findings;
}

const DAYS = ['2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05', '2026-03-06'];

it('reconciling orders, files and statements finds exactly the mistakes in the answer keys', async () => {
  const anyDay = fc.array(fc.integer({ min: 1, max: 9999 }), { minLength: 1, maxLength: 3 });
  const anyWeek = fc.array(anyDay, { minLength: 3, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(anyWeek, fc.boolean(), fc.uuid(), async (week, isCorrect, seed) => {
      const session = await newSession(seed);
      await session.useScenario(isCorrect ? 'payer-decides' : 'bank-statement-mismatches');
      const orders = new Map(week.map((amounts, day) => [requireDefined(DAYS[day]), amounts]));
      for (const [date, amounts] of orders) {
        for (const [index, amount] of amounts.entries()) {
          await makePaidPayment(session, `${date}-${index}`, (amount / 100).toFixed(2));
        }
        await session.advance('P1D');
      }
      await session.advance('P9D');
      const { items } = await session.list<{ id: string; state: string }>('settlements');
      const files = await Promise.all(items.map(({ id }) => fileOf(session, id)));
      const transferred = items.find(({ state }) => state === 'Paid');
      if (!transferred) {
        return;
      }
      const dates = [...DAYS, '2026-03-07', '2026-03-08', '2026-03-09', '2026-03-10'];
      const statements = await Promise.all(dates.map((date) => statementOf(session, transferred.id, `?date=${date}`)));
      const keys = await Promise.all(dates.map((date) => keyOf(session, transferred.id, `?date=${date}`)));
      const expected = keys.flatMap(({ statement }) => requireDefined(statement ?? undefined).findings);
      expect(isCorrect ? expected : []).toEqual([]);
      const byText = (all: readonly object[]) => all.map((each) => JSON.stringify(each)).sort();
      expect(byText(reconcile(orders, files, statements))).toEqual(
        byText(expected.map(({ kind, reference: settlementId, difference }) => ({ kind, settlementId, difference }))),
      );
      expect(isCorrect || expected.length > 0).toBe(true);
    }),
    { numRuns: cases(12) },
  );
});

it('a bank statement and its answer key do not change later', async () => {
  const session = await newSession('steady');
  await session.useScenario('bank-statement-mismatches');
  await makePaidPayment(session, 'A', '10.00');
  await session.advance('P2D');
  const before = [await statementOf(session, 'settlement-1'), (await keyOf(session, 'settlement-1')).statement];
  await session.useScenario('payer-decides');
  const { findings } = requireDefined((await keyOf(session, 'settlement-1')).statement ?? undefined);
  await makePaidPayment(
    session,
    requireDefined(findings.find(({ kind }) => kind === 'unknown-credit')).reference,
    '10.00',
  );
  await session.advance('P3D');
  await session.call('POST', '/settlements/settlement-1/return', {});
  expect([await statementOf(session, 'settlement-1'), (await keyOf(session, 'settlement-1')).statement]).toEqual(
    before,
  );
});
