import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import type { SandboxClient } from '../../../src/client/client.ts';
import { post } from '../../interface/calls.ts';
import { exampleOf, MERCHANT } from '../../interface/examples.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';
import { temporaryFolders } from '../../temporary-folder.ts';

const NOW = Date.parse('2026-03-06T10:00:00.000Z');
const newFolder = temporaryFolders();
let sandbox: Sandbox;
let sessions = 0;

beforeAll(async () => {
  sandbox = await startSandbox({ now: NOW, checkAnswers: true });
});
afterAll(() => sandbox.close());

function newSession(): SandboxClient {
  sessions += 1;
  return sandbox.session(`settlements-${sessions}`);
}

async function makePaidPayment({ baseUrl }: SandboxClient, members: Record<string, unknown>): Promise<void> {
  const order = { ...exampleOf('requests/single-payment', members), ...MERCHANT };
  expect((await post('/sandbox/init/authenticate/merchant/wallet', order, baseUrl)).status).toBe(200);
  const payment = encodeURIComponent(String(members['payerReference']));
  await request(baseUrl).post(`/_sandbox/payments/${payment}/settle`).send({ outcome: 'Paid' });
}

const get = ({ baseUrl }: SandboxClient, path: string) => request(baseUrl).get(`/_sandbox/${path}`);

it('a settlement is closed by advancing the clock, but not by run-until-idle', async () => {
  const session = newSession();
  await makePaidPayment(session, { payerReference: 'A', amount: '10.00' });
  expect((await session.runUntilIdle()).now).toBe('2026-03-06T10:00:00.000Z');
  expect((await get(session, 'clock')).body.next).toMatchObject({ kind: 'settle-merchant' });
  const { happened } = await session.advance('P4D');
  expect(happened?.map(({ at, type }) => [at, type])).toEqual([
    ['2026-03-06T22:00:00.000Z', 'settlement.created'],
    ['2026-03-09T07:00:00.000Z', 'settlement.paid'],
  ]);
  expect((await get(session, 'settlements?state=Paid')).body.items).toHaveLength(1);
});

it('a settlement file can be JSON or CSV; the rows of a CSV have equal width, and add up to its totals', async () => {
  const session = newSession();
  await makePaidPayment(session, { payerReference: 'A "first", really', amount: '1.00' });
  await session.advance('P1D');
  await makePaidPayment(session, { payerReference: 'B', amount: '10.00' });
  await session.advance('P1D');
  const { body } = await get(session, 'settlements/settlement-2/file');
  expect(body.totals).toMatchObject({ carriedIn: -104, net: 760, transferred: 656, carriedOut: 0 });
  expect(body.lines.map(({ lineType, net }: Record<string, unknown>) => [lineType, net])).toEqual([['payment', 760]]);
  const { text, headers } = await get(session, 'settlements/settlement-1/file?format=csv');
  expect(headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
  const rows = readCsv(text);
  expect(new Set(rows.map((row) => row.length))).toEqual(new Set([38]));
  const [names = [], ...others] = rows;
  const column = (name: string) => others.map((row) => row[names.indexOf(name)]);
  expect(column('record')).toEqual(['H', 'L', 'T']);
  expect(column('lineType')).toEqual(['', 'payment', '']);
  expect(column('paymentReference')).toEqual(['', 'A "first", really', '']);
  expect(column('net')).toEqual(['', '-1.04', '-1.04']);
  expect(column('fee')).toEqual(['', '-2.04', '-2.04']);
  expect(column('transferred')).toEqual(['', '', '0.00']);
  expect(column('carriedOut')).toEqual(['', '', '-1.04']);
});

it('the header of a settlement file names its merchant, number, period and bank account', async () => {
  const session = newSession();
  await makePaidPayment(session, { payerReference: 'A', amount: '10.00' });
  await session.advance('P1D');
  const { body } = await get(session, 'settlements/settlement-1/file');
  const { bank, ...header } = body.header;
  expect(header).toEqual({
    settlementId: 'settlement-1',
    merchantId: 'M-1000',
    environment: 'sandbox',
    currency: 'USD',
    businessDate: '2026-03-06',
    sequence: 1,
    version: 1,
    layout: 1,
    periodStart: '2026-03-06T10:00:00.000Z',
    periodEnd: '2026-03-06T22:00:00.000Z',
    cutOff: '2026-03-06T22:00:00.000Z',
    valueDate: '2026-03-09',
  });
  const [names = [], first = []] = readCsv((await get(session, 'settlements/settlement-1/file?format=csv')).text);
  const { cutOff: _, ...shown } = { ...header, ...bank, record: 'H', sequence: '1', version: '1', layout: '1' };
  const cells = names.map((name, index) => [name, first[index]]).filter(([, cell]) => cell !== '');
  expect(Object.fromEntries(cells)).toEqual(shown);
});

it('a settlement file distinguishes equal refunds, and its fees add up by kind, in lines and totals', async () => {
  const session = newSession();
  await makePaidPayment(session, { payerReference: 'A', amount: '10.00' });
  for (const kind of ['refund', 'refund', 'chargeback']) {
    const adjustment = { kind, ...(kind === 'refund' ? { amount: '2.00' } : {}) };
    await request(session.baseUrl).post('/_sandbox/payments/A/adjustments').send(adjustment);
  }
  await request(session.baseUrl).post('/_sandbox/settlements/close').send({});
  const { lines } = (await get(session, 'settlements/settlement-1/file')).body;
  const ids = lines.map(({ recordId, sourceId, entryId }: Record<string, string>) => [recordId, sourceId, entryId]);
  expect(ids).toEqual([
    ['payment-1', 'payment-1', 'entry-1'],
    ['payment-1', 'payment-1-refund-1', 'entry-2'],
    ['payment-1', 'payment-1-refund-2', 'entry-3'],
    ['payment-1', 'payment-1-chargeback-3', 'entry-4'],
  ]);
  const { adjustments } = (await get(session, 'payments/A')).body;
  expect(adjustments.map(({ id }: { id: string }) => id)).toEqual(
    ids.slice(1, 4).map(([, sourceId]: string[]) => sourceId),
  );
  const { items: entries } = (await get(session, 'ledger/entries')).body;
  expect(ids.slice(0, 4).map(([recordId, , entryId]: string[]) => [entryId, recordId])).toEqual(
    entries.slice(0, 4).map(({ id, recordId }: Record<string, string>) => [id, recordId]),
  );
  const [names = [], ...rows] = readCsv((await get(session, 'settlements/settlement-1/file?format=csv')).text);
  const fees = ['feeMarkUp', 'feeServiceProvider', 'feeGateway', 'feePayout', 'feeChargeback'];
  const cents = (row: string[], name: string) => Math.round(Number(row[names.indexOf(name)]) * 100);
  expect(rows.slice(1).map((row) => fees.map((name) => cents(row, name)))).toEqual([
    [-20, -200, -20, 0, 0],
    [0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0],
    [0, 0, 0, 0, -1500],
    [-20, -200, -20, 0, -1500],
  ]);
  for (const row of rows.slice(1)) {
    expect(fees.reduce((sum, name) => sum + cents(row, name), 0)).toBe(cents(row, 'fee'));
    expect(cents(row, 'gross') + cents(row, 'fee')).toBe(cents(row, 'net'));
  }
});

it('a settlement can be closed by hand; the file of an open settlement, and an early return, are a 409', async () => {
  const session = newSession();
  await makePaidPayment(session, { payerReference: 'A' });
  expect((await get(session, 'settlements/settlement-1/file')).status).toBe(409);
  const close = (body: object) => request(session.baseUrl).post('/_sandbox/settlements/close').send(body);
  expect((await close({ merchantId: 'M-1001' })).body.items).toEqual([]);
  expect((await close({})).body.items).toMatchObject([{ id: 'settlement-1', state: 'InTransit' }]);
  expect((await close({})).body.items).toEqual([]);
  const refused = await request(session.baseUrl).post('/_sandbox/settlements/settlement-1/return').send({});
  expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('InTransit')]);
});

it('a settlement is restored from an exported state, and the books still balance', async () => {
  const session = newSession();
  await makePaidPayment(session, { payerReference: 'A' });
  await session.advance('P1D');
  await makePaidPayment(session, { payerReference: 'B' });
  const state = (await get(session, 'state')).body;
  await session.reset();
  expect((await request(session.baseUrl).put('/_sandbox/state').send(state)).status).toBe(200);
  await session.advance('P5D');
  expect((await get(session, 'settlements')).body.items).toMatchObject([{ state: 'Paid' }, { state: 'Paid' }]);
  expect((await get(session, 'ledger/check')).body).toMatchObject({ balanced: true, moves: 6 });
});

it('the scenario that is active at the close puts mistakes into the file, but not into the books', async () => {
  const session = newSession();
  for (let number = 1; number <= 9; number += 1) {
    await makePaidPayment(session, { payerReference: `ORDER-${number}`, amount: `${number}0.00` });
  }
  await session.useScenario('settlement-mismatches');
  await session.advance('P1D');
  await session.useScenario('payer-decides');
  const file = async (id: string, as: string) => (await get(session, `settlements/${id}/file?as=${as}`)).body;
  const key = (await get(session, 'settlements/settlement-1/answer-key')).body;
  expect(key.findings.map(({ kind }: { kind: string }) => kind)).toEqual([
    'missing',
    'doubled',
    'unknown',
    'next-day',
    'fee',
    'cent',
    'date',
    'currency',
  ]);
  const lateFinding = key.findings[3];
  expect(lateFinding).toMatchObject({ verdict: 'wait', shownLines: [], resolvedIn: null });
  expect((await file('settlement-1', 'booked')).lines).toHaveLength(9);
  expect(await file('settlement-1', 'shown')).not.toEqual(await file('settlement-1', 'booked'));
  await makePaidPayment(session, { payerReference: 'ORDER-10' });
  await session.advance('P1D');
  const references = (await file('settlement-2', 'shown')).lines.map(
    ({ paymentReference }: { paymentReference: string }) => paymentReference,
  );
  expect(references).toEqual([lateFinding.reference, 'ORDER-10']);
  expect((await get(session, 'settlements/settlement-1/answer-key')).body.findings[3].resolvedIn).toBe('settlement-2');
  expect((await get(session, 'settlements/settlement-2/answer-key')).body.findings).toMatchObject([
    { kind: 'late', verdict: 'ignore', reference: lateFinding.reference, shownLines: [1] },
  ]);
  expect((await get(session, 'ledger/check')).body.balanced).toBe(true);
});

describe('a settlement with a custom fixture', () => {
  it('has the columns, decimal mark and business days of the fixture', async () => {
    const fixtures = newFolder();
    const file = { columns: ['lineType', 'net', 'debit', 'credit', 'netMinorUnits', 'direction'], delimiter: ';' };
    const settlement = {
      cutOff: '17:00',
      zone: 'Europe/Berlin',
      delayDays: 2,
      weekend: ['Friday'],
      holidays: ['2026-03-08'],
      minimum: '5.00',
      file: { ...file, decimalMark: ',', byteOrderMark: true },
    };
    writeFileSync(join(fixtures, 'settlement.json'), JSON.stringify(settlement));
    const otherSandbox = await startSandbox({ now: NOW, fixtures, checkAnswers: true });
    const session = otherSandbox.session('berlin');
    await makePaidPayment(session, { payerReference: 'A', amount: '10.00' });
    await session.advance('PT6H');
    expect((await get(session, 'settlements/settlement-1')).body).toMatchObject({
      businessDate: '2026-03-06',
      cutOff: '2026-03-06T16:00:00.000Z',
      valueDate: '2026-03-09',
    });
    const { text } = await get(session, 'settlements/settlement-1/file?format=csv');
    expect(text).toBe(
      [
        '\uFEFFlineType;net;debit;credit;netMinorUnits;direction',
        ';;;;;',
        'payment;7,60;;7,60;760;CR',
        ';7,60;;7,60;760;CR',
        '',
      ].join('\r\n'),
    );
    await otherSandbox.close();
  });

  it('protects texts that spreadsheets would read as formulas, if the fixture says so, and does not change figures', async () => {
    const hostile = ['=1+1', '+1+1', '-1+1', '@SUM(A1)', '\t=1', '＝1', "=cmd|' /C calc'!A0", '=1,"2"'];
    const harmless = ['a =1', "'=1", '1-1', 'Order 7'];
    const columns = ['paymentReference', 'net', 'fee'];
    const rowsWith = async (escapeFormulas: boolean | undefined) => {
      const fixtures = newFolder();
      const file = { columns, delimiter: ',', decimalMark: '.', byteOrderMark: false, escapeFormulas };
      writeFileSync(join(fixtures, 'settlement.json'), JSON.stringify({ file }));
      const otherSandbox = await startSandbox({ now: NOW, fixtures, checkAnswers: true });
      const session = otherSandbox.session('sheet');
      for (const payerReference of [...hostile, ...harmless]) {
        await makePaidPayment(session, { payerReference, amount: '10.00' });
      }
      await session.call('POST', '/settlements/close', {});
      const { text } = await get(session, 'settlements/settlement-1/file?format=csv');
      await otherSandbox.close();
      return text.split('\r\n').slice(2, -2).sort();
    };
    const line = (reference: string) =>
      `${/[",]/.test(reference) ? `"${reference.replaceAll('"', '""')}"` : reference},7.60,-2.40`;
    expect(await rowsWith(true)).toEqual([...hostile.map((each) => `'${each}`), ...harmless].map(line).sort());
    expect(await rowsWith(false)).toEqual([...hostile, ...harmless].map(line).sort());
    expect(await rowsWith(undefined)).toEqual(await rowsWith(false));
  });

  it('cannot have an unknown zone', async () => {
    const fixtures = newFolder();
    writeFileSync(join(fixtures, 'settlement.json'), JSON.stringify({ zone: 'Mars/Base' }));
    await expect(startSandbox({ fixtures })).rejects.toThrow('$.zone: expected an IANA time zone');
  });

  it('notifies the merchant of a transfer, and of its return, if the fixture says so', async () => {
    const fixtures = newFolder();
    writeFileSync(join(fixtures, 'settlement.json'), JSON.stringify({ notify: true }));
    const otherSandbox = await startSandbox({ now: NOW, fixtures, webhookUrl: 'http://127.0.0.1:9/hook' });
    const session = otherSandbox.session('notified');
    await makePaidPayment(session, { payerReference: 'A', amount: '10.00' });
    await session.advance('P4D');
    await request(session.baseUrl).post('/_sandbox/settlements/settlement-1/return').send({ code: 'AC04' });
    const { items } = await session.list<{ type: string; body: string }>('webhooks/deliveries', {
      subjectId: 'settlement-1',
    });
    expect(items.map(({ type, body }) => [type, JSON.parse(body)])).toEqual([
      [
        'settlement.returned',
        expect.objectContaining({ status: 'SettlementReturned', paymentReference: 'settlement-1' }),
      ],
      [
        'settlement.paid',
        expect.objectContaining({ status: 'SettlementPaid', paymentAmount: 7.6, paymentCharges: 2.4 }),
      ],
    ]);
    await otherSandbox.close();
  });

  it('notifies the merchant of a collection from its bank, and of its return, with different words', async () => {
    const fixtures = newFolder();
    writeFileSync(join(fixtures, 'settlement.json'), JSON.stringify({ notify: true, negativeBalance: 'collect' }));
    const otherSandbox = await startSandbox({ now: NOW, fixtures, webhookUrl: 'http://127.0.0.1:9/hook' });
    const session = otherSandbox.session('collected');
    await makePaidPayment(session, { payerReference: 'A', amount: '1.00' });
    await session.advance('P4D');
    await request(session.baseUrl).post('/_sandbox/settlements/settlement-1/return').send({});
    const { items } = await session.list<{ type: string; body: string }>('webhooks/deliveries', {
      subjectId: 'settlement-1',
    });
    expect(items.map(({ type, body }) => [type, JSON.parse(body)])).toEqual([
      [
        'settlement.returned',
        expect.objectContaining({
          status: 'SettlementCollectionReturned',
          description: expect.stringContaining("The merchant's bank returned the collection"),
        }),
      ],
      [
        'settlement.paid',
        expect.objectContaining({
          status: 'SettlementCollected',
          description: expect.stringContaining("The negative balance was collected from the merchant's bank account"),
          paymentAmount: -1.04,
        }),
      ],
    ]);
    await otherSandbox.close();
  });

  it('is not closed automatically, if the fixture says so', async () => {
    const fixtures = newFolder();
    writeFileSync(join(fixtures, 'settlement.json'), JSON.stringify({ automatic: false }));
    const otherSandbox = await startSandbox({ now: NOW, fixtures });
    const session = otherSandbox.session('by-hand');
    await makePaidPayment(session, { payerReference: 'A' });
    expect((await session.advance('P9D')).happened).toEqual([]);
    // It is closed nine days later, and transferred on a business day after that.
    await session.call('POST', '/settlements/close', {});
    const { businessDate, valueDate } = await session.call<{ businessDate: string; valueDate: string }>(
      'GET',
      '/settlements/settlement-1',
    );
    const closedAt = Date.parse('2026-03-06') + 9 * 86_400_000;
    expect([businessDate, Date.parse(valueDate) > closedAt]).toEqual(['2026-03-06', true]);
    await otherSandbox.close();
  });
});

/** The cells of a CSV by RFC 4180. */
function readCsv(text: string): string[][] {
  expect(text.endsWith('\r\n')).toBe(true);
  return text
    .slice(0, -2)
    .split('\r\n')
    .map((row) => [...row.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)])
    .map((cells) => cells.map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? ''));
}
