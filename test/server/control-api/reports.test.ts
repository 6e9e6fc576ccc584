import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import type { BankStatement, ReportView, SettlementAnswerKey } from '../../../src/base/schema/generated/control.ts';
import type { SandboxClient } from '../../../src/client/client.ts';
import { credentials, post, tokenOf } from '../../interface/calls.ts';
import { exampleOf, MERCHANT } from '../../interface/examples.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';
import { temporaryFolders } from '../../temporary-folder.ts';
import { requireDefined } from '../domain/workbench.ts';

const NOW = '2026-03-05T10:00:00.000Z';
const OTHER = credentials(1001);
const newFolder = temporaryFolders();
let sandbox: Sandbox;
let sessions = 0;

beforeAll(async () => {
  sandbox = await startSandbox({ now: Date.parse(NOW), checkAnswers: true });
});
afterAll(() => sandbox.close());

async function newSession(scenario?: string): Promise<SandboxClient> {
  sessions += 1;
  const session = await sandbox.client.createSession(`reports-${sessions}`, { seed: `seed-${sessions}`, now: NOW });
  await session.setEndpoints([{ url: 'sandbox:catch' }]);
  if (scenario !== undefined) {
    await session.useScenario(scenario);
  }
  return session;
}

async function makePaidPayment(
  session: SandboxClient,
  payerReference: string,
  merchant: object = MERCHANT,
): Promise<void> {
  const order = { ...exampleOf('requests/single-payment', { payerReference }), ...merchant };
  expect((await post('/sandbox/init/authenticate/merchant/wallet', order, session.baseUrl)).status).toBe(200);
  await session.settle(payerReference, 'Paid');
}

/** Calls as a merchant does: with an access token only. */
async function fetchAs(token: string | undefined, address: string) {
  return request(address)
    .get('')
    .set(token === undefined ? {} : { Authorization: `Bearer ${token}` });
}

/** The settlement files that a merchant can fetch, or its reports of another type. */
async function listReports(session: SandboxClient, query = '?', type = 'settlement-file'): Promise<ReportView[]> {
  const address = `${session.baseUrl}/_sandbox/reports${query}&type=${type}`;
  const { status, body } = await fetchAs(await tokenOf(session.baseUrl), address);
  expect(status).toBe(200);
  return body.items;
}

async function moveTo(session: SandboxClient, to: string): Promise<void> {
  const { now } = await session.clock();
  await session.advance(`PT${(Date.parse(to) - Date.parse(now)) / 1000}S`);
}

async function listAnnouncements(
  session: SandboxClient,
): Promise<{ at: string; address: string | undefined; body: Item }[]> {
  const { items } = await session.deliveries({ subjectId: 'settlement-1' });
  return items
    .map(({ createdAt, body }) => ({ at: createdAt, body: JSON.parse(body) as Item }))
    .map(({ at, body }) => ({ at, body, address: /report: (\S+)$/.exec(String(body['description']))?.[1] }))
    .reverse();
}

type Item = Record<string, unknown>;

it('a merchant can list its reports, newest first, and fetch each as JSON and as CSV', async () => {
  const session = await newSession();
  expect(await listReports(session)).toEqual([]);
  await makePaidPayment(session, 'A');
  expect(await listReports(session)).toEqual([]);
  await session.advance('P1D');
  await makePaidPayment(session, 'B');
  await session.advance('P1D');
  const [second, first, ...others] = await listReports(session);
  expect([second?.id, others]).toEqual(['settlement-2', []]);
  expect(first).toEqual({
    type: 'settlement-file',
    id: 'settlement-1',
    version: 1,
    environment: 'sandbox',
    currency: 'USD',
    businessDate: '2026-03-05',
    issuedAt: '2026-03-05T22:00:00.000Z',
    formats: ['json', 'csv'],
    address: `${session.baseUrl}/_sandbox/reports/settlement-file/settlement-1`,
  });
  const token = await tokenOf(session.baseUrl);
  const { address } = requireDefined(first);
  expect((await fetchAs(token, address)).body).toEqual(await session.call('GET', '/settlements/settlement-1/file'));
  const csv = await fetchAs(token, `${address}?format=csv`);
  expect([csv.headers['content-type'], csv.text.split(',')[0]]).toEqual([
    'text/csv; charset=utf-8; header=present',
    'record',
  ]);
  expect(await listReports(session, '?businessDate=2026-03-06')).toEqual([second]);
  expect(await listReports(session, '?currency=EUR')).toEqual([]);
});

it('a merchant gets a bank statement for each completed day with bank transactions', async () => {
  const session = await newSession();
  const rule = { when: { operation: 'closeSettlement' }, mismatches: { bank: ['late'] } };
  await session.defineScenario({ name: 'bank-late', description: 'The bank is late.', rules: [rule] });
  await session.useScenario('bank-late');
  await makePaidPayment(session, 'A');
  await session.advance('P1D');
  await session.useScenario('payer-decides');
  await makePaidPayment(session, 'B');
  await session.advance('P3D');
  // Monday has both transfers: the late one and the punctual one.
  expect(await listReports(session, '?', 'bank-statement')).toEqual([]);
  const { id } = await session.call<BankStatement>('GET', '/settlements/settlement-1/statement?date=2026-03-09');
  const address = `${session.baseUrl}/_sandbox/reports/bank-statement/${id}`;
  const early = await fetchAs(await tokenOf(session.baseUrl), address);
  expect([early.status, early.body.detail]).toEqual([
    404,
    `the bank-statement ${id} does not exist yet: it will be issued at 2026-03-09T22:00:00.000Z by the session's clock`,
  ]);
  await session.advance('P1D');
  await session.call('POST', '/settlements/settlement-2/return', {});
  await session.advance('P2D');
  const listed = await listReports(session, '?', 'bank-statement');
  expect(listed.map(({ businessDate, issuedAt }) => [businessDate, issuedAt])).toEqual([
    // The returned transfer is sent again.
    ['2026-03-11', '2026-03-11T22:00:00.000Z'],
    ['2026-03-10', '2026-03-10T22:00:00.000Z'],
    ['2026-03-09', '2026-03-09T22:00:00.000Z'],
  ]);
  expect(listed[2]).toMatchObject({ id, version: 1, formats: ['json', 'camt.053', 'mt940', 'csv'], address });
  const token = await tokenOf(session.baseUrl);
  const statements = await Promise.all(listed.map(async (report) => (await fetchAs(token, report.address)).body));
  expect(statements.map(({ opening, closing, entries }) => [opening, entries.length, closing])).toEqual([
    [760, 1, 1520],
    [1520, 1, 760],
    [0, 2, 1520],
  ]);
  expect(statements[2]).toEqual(await session.call('GET', '/settlements/settlement-1/statement?date=2026-03-09'));
  expect((await fetchAs(token, `${address}?format=camt.053`)).text).toMatch(/^<\?xml/);
  expect((await fetchAs(token, `${address}?version=2`)).status).toBe(404);
  const stranger = await fetchAs(await tokenOf(session.baseUrl, 1001), address);
  expect([stranger.status, stranger.body.detail]).toEqual([404, `this merchant has no bank-statement "${id}"`]);
});

it("a merchant gets the month's fee invoice after the month has ended, as JSON and as CSV", async () => {
  const session = await newSession();
  await makePaidPayment(session, 'A');
  await makePaidPayment(session, 'B', OTHER);
  const id = 'INV-2026-03-M-1000-sandbox-USD';
  const address = `${session.baseUrl}/_sandbox/reports/fee-invoice/${id}`;
  await moveTo(session, '2026-03-31T21:59:59Z');
  expect(await listReports(session, '?', 'fee-invoice')).toEqual([]);
  const early = await fetchAs(await tokenOf(session.baseUrl), address);
  expect([early.status, early.body.detail]).toEqual([404, expect.stringContaining('when 2026-03 has ended')]);
  await moveTo(session, '2026-03-31T22:00:00Z');
  const expected = {
    type: 'fee-invoice',
    id,
    version: 1,
    environment: 'sandbox',
    currency: 'USD',
    businessDate: '2026-03-31',
    issuedAt: '2026-03-31T22:00:00.000Z',
    formats: ['json', 'csv'],
    address,
  };
  expect(await listReports(session, '?businessDate=2026-03-31', 'fee-invoice')).toEqual([expected]);
  const token = await tokenOf(session.baseUrl);
  const newest = await fetchAs(token, `${session.baseUrl}/_sandbox/reports?limit=1`);
  expect(newest.body.items).toEqual([expected]);
  const month = '/invoices/2026-03?merchantId=M-1000&environment=sandbox&currency=USD';
  const { body } = await fetchAs(token, address);
  expect(body).toEqual(await session.call('GET', month));
  expect(body).toMatchObject({ number: id, status: 'final', issueDate: '2026-04-01', net: 240 });
  const csv = await fetchAs(token, `${address}?format=csv`);
  expect([csv.headers['content-type'], csv.text.split('\r\n')[1]?.split(',')[2]]).toEqual([
    'text/csv; charset=utf-8; header=present',
    id,
  ]);
  expect((await fetchAs(token, `${address}?format=mt940`)).status).toBe(400);
  const problemOf = async (path: string) => session.call('GET', path).catch((error) => error.problem.detail);
  expect(await problemOf(month.replace('sandbox', 'production'))).toBe(
    'M-1000 has no settlements of 2026-03 in production, USD, and so no invoice; it has some in sandbox, USD',
  );
  expect(await problemOf(month.replace('2026-03', '2026-02'))).toBe(
    'M-1000 has no settlements of 2026-02 in sandbox, USD, and so no invoice',
  );
  const stranger = await fetchAs(await tokenOf(session.baseUrl, 1001), address);
  expect([stranger.status, stranger.body.detail]).toEqual([404, `this merchant has no fee-invoice "${id}"`]);
});

it('a merchant sees only its own reports, in its own session', async () => {
  const session = await newSession();
  await makePaidPayment(session, 'A');
  await makePaidPayment(session, 'B', OTHER);
  await session.advance('P1D');
  const [ownToken, otherToken] = [await tokenOf(session.baseUrl), await tokenOf(session.baseUrl, 1001)];
  const list = `${session.baseUrl}/_sandbox/reports`;
  const idsFor = async (token: string) =>
    (await fetchAs(token, `${list}?type=settlement-file`)).body.items.map(({ id }: ReportView) => id);
  expect([await idsFor(ownToken), await idsFor(otherToken)]).toEqual([['settlement-1'], ['settlement-2']]);
  const foreign = await fetchAs(otherToken, `${list}/settlement-file/settlement-1`);
  const missing = await fetchAs(otherToken, `${list}/settlement-file/settlement-9`);
  expect([foreign.status, missing.status]).toEqual([404, 404]);
  expect(foreign.body.detail.replace('settlement-1', 'settlement-9')).toBe(missing.body.detail);
  const elsewhere = await newSession();
  const stranger = await fetchAs(ownToken, `${elsewhere.baseUrl}/_sandbox/reports`);
  expect([stranger.status, stranger.body.title]).toEqual([401, 'bad-bearer']);
});

it('a missing, malformed, wrong or expired token for reports is refused with problem details', async () => {
  const session = await newSession();
  await makePaidPayment(session, 'A');
  const token = await tokenOf(session.baseUrl);
  const list = `${session.baseUrl}/_sandbox/reports`;
  const problem = async (header: string | undefined, address = list) => {
    const call = request(address).get('');
    const { status, headers, body } = await (header === undefined ? call : call.set('Authorization', header));
    expect(headers['content-type']).toMatch('application/problem+json');
    expect([status, body.id, body.findings]).toEqual([401, 'SBX-R04', []]);
    return body.detail;
  };
  expect(await problem(undefined)).toMatch('no bearer token was sent');
  expect(await problem(undefined, `${list}/settlement-file/settlement-1`)).toMatch('no bearer token was sent');
  expect(await problem('Basic abc')).toMatch('not "Bearer <token>"');
  expect(await problem('Bearer abc')).toMatch('not issued by this session');
  await session.advance('P1D');
  expect(await problem(`Bearer ${token}`)).toMatch('expired by the session clock');
  expect(await problem(`Bearer ${token}`, `${list}/settlement-file/settlement-1`)).toMatch('expired');
});

it('a report of an open settlement, or of an unknown type or version, is a 404; an unknown format is a 400', async () => {
  const session = await newSession();
  await makePaidPayment(session, 'A');
  const token = await tokenOf(session.baseUrl);
  const list = `${session.baseUrl}/_sandbox/reports`;
  const open = await fetchAs(token, `${list}/settlement-file/settlement-1`);
  expect([open.status, open.body.detail]).toEqual([404, expect.stringContaining('open until its cut-off')]);
  expect((await fetchAs(token, `${list}/toString/settlement-1`)).status).toBe(404);
  expect((await fetchAs(token, `${list}/settlement-file/settlement-1?format=pdf`)).status).toBe(400);
  await session.call('POST', '/settlements/close', {});
  expect((await fetchAs(token, `${list}/settlement-file/settlement-1`)).status).toBe(200);
  const second = await fetchAs(token, `${list}/settlement-file/settlement-1?version=2`);
  expect([second.status, second.body.detail]).toEqual([404, expect.stringContaining('no version 2')]);
});

it("reports need no control token, and do not accept it in place of a merchant's token", async () => {
  const otherSandbox = await startSandbox({ now: Date.parse(NOW), controlToken: 'secret-token', host: '0.0.0.0' });
  const token = await tokenOf(otherSandbox.url);
  const list = `${otherSandbox.url}/_sandbox/reports`;
  const statusWith = async (headers: Record<string, string>, address = list) =>
    (await request(address).get('').set(headers)).status;
  expect(await statusWith({ Authorization: `Bearer ${token}` })).toBe(200);
  expect(await statusWith({ Authorization: `Bearer ${token}`, Host: 'sandbox.example.test' })).toBe(200);
  expect(await statusWith({ 'X-Sandbox-Control-Token': 'secret-token' })).toBe(401);
  expect(await statusWith({ Authorization: 'Bearer secret-token' })).toBe(401);
  for (const path of ['payments', 'reports/', 'reports/settlement-file', 'reports/settlement-file/x/y', 'Reports']) {
    expect(await statusWith({ Authorization: `Bearer ${token}` }, `${otherSandbox.url}/_sandbox/${path}`)).toBe(401);
  }
  await otherSandbox.close();
});

it('with settlement-announced, a report is announced with its address in the description', async () => {
  const session = await newSession('settlement-announced');
  await makePaidPayment(session, 'A');
  await session.advance('P2D');
  const [announced, ...others] = await listAnnouncements(session);
  expect(others).toEqual([]);
  const { at, address = '', body } = requireDefined(announced);
  expect(at).toBe('2026-03-06T07:00:00.000Z');
  expect(Object.keys(body)).toEqual([
    ...['status', 'description', 'paymentCurrency', 'paymentAmount', 'paymentCharges', 'paymentReference'],
    ...['paymentMethod', 'paymentDate'],
  ]);
  expect(body).toMatchObject({ status: 'SettlementPaid', paymentReference: 'settlement-1' });
  const { body: file } = await fetchAs(await tokenOf(session.baseUrl), address);
  expect([file.header.settlementId, file.totals.transferred / 100]).toEqual(['settlement-1', body['paymentAmount']]);
});

it('a report is not announced unless a scenario or fixture says so', async () => {
  const session = await newSession();
  await makePaidPayment(session, 'A');
  await session.advance('P2D');
  expect(await listAnnouncements(session)).toEqual([]);
});

it('with settlement-report-late, a report is available six hours after its announcement', async () => {
  const session = await newSession('settlement-report-late');
  await makePaidPayment(session, 'A');
  await moveTo(session, '2026-03-06T06:59:00Z');
  const fetchReport = async () => {
    const address = `${session.baseUrl}/_sandbox/reports/settlement-file/settlement-1`;
    const { status, body } = await fetchAs(await tokenOf(session.baseUrl), address);
    return [status, body.detail, (await listReports(session)).length];
  };
  expect(await fetchReport()).toEqual([
    404,
    'the settlement-file settlement-1 does not exist yet: it will be issued 6 h after its settlement was paid',
    0,
  ]);
  await moveTo(session, '2026-03-06T12:59:59Z');
  expect(await listAnnouncements(session)).toHaveLength(1);
  expect(await fetchReport()).toEqual([
    404,
    "the settlement-file settlement-1 does not exist yet: it will be issued at 2026-03-06T13:00:00.000Z by the session's clock",
    0,
  ]);
  await moveTo(session, '2026-03-06T13:00:00Z');
  expect(await fetchReport()).toEqual([200, undefined, 1]);
  expect((await listReports(session))[0]?.issuedAt).toBe('2026-03-06T13:00:00.000Z');
  await session.advance('P3D');
  expect(await listAnnouncements(session)).toHaveLength(1);
});

it('with settlement-corrected, a report is issued again and then corrected, and each issue is announced', async () => {
  const session = await newSession('settlement-corrected');
  await makePaidPayment(session, 'A');
  const key = (query = '') => session.call<SettlementAnswerKey>('GET', `/settlements/settlement-1/answer-key${query}`);
  await moveTo(session, '2026-03-07T06:59:59Z');
  expect((await listReports(session)).map(({ version, issuedAt }) => [version, issuedAt])).toEqual([
    [1, '2026-03-06T08:00:00.000Z'],
    [1, '2026-03-05T22:00:00.000Z'],
  ]);
  const wrong = await key();
  expect(wrong).toMatchObject({
    version: 1,
    findings: [
      { kind: 'corrected-file', field: 'fee', verdict: 'wait', resolvedIn: null, shownLines: [1] },
      { kind: 'file-again', field: 'file', expected: 1, shown: 2, verdict: 'ignore', difference: 0 },
    ],
  });
  await moveTo(session, '2026-03-07T07:00:00Z');
  const announced = await listAnnouncements(session);
  expect(announced.map(({ at, address }) => [at, address?.slice(session.baseUrl.length)])).toEqual([
    ['2026-03-06T07:00:00.000Z', '/_sandbox/reports/settlement-file/settlement-1'],
    ['2026-03-06T08:00:00.000Z', '/_sandbox/reports/settlement-file/settlement-1'],
    ['2026-03-07T07:00:00.000Z', '/_sandbox/reports/settlement-file/settlement-1?version=2'],
  ]);
  expect(announced[0]?.body).toEqual(announced[1]?.body);
  const token = await tokenOf(session.baseUrl);
  const corrected = (await fetchAs(token, requireDefined(announced[2]?.address))).body;
  const bookedFile = await session.call<object>('GET', '/settlements/settlement-1/file?as=booked');
  expect([corrected, corrected.header.version]).toEqual([bookedFile, 2]);
  const list = `${session.baseUrl}/_sandbox/reports/settlement-file/settlement-1`;
  expect((await fetchAs(token, list)).body).toEqual(corrected);
  const first = (await fetchAs(token, `${list}?version=1`)).body;
  expect([first.header.version, first.totals.fee < corrected.totals.fee]).toEqual([1, true]);
  // Each row links to its own version.
  const rows = await listReports(session);
  expect(rows.map(({ version }) => version)).toEqual([2, 1, 1]);
  for (const { version, address } of rows) {
    expect((await fetchAs(token, address)).body.header.version).toBe(version);
  }
  expect(await key()).toMatchObject({ version: 2, findings: [{ kind: 'file-again' }] });
  const [solved, again] = wrong.findings;
  expect((await key('?version=1')).findings).toEqual([{ ...solved, resolvedIn: 'settlement-1' }, again]);
  expect((await session.call<{ balanced: boolean }>('GET', '/ledger/check')).balanced).toBe(true);
});

it('the correction of a report whose amount was carried over is not announced, and is also issued after a restore', async () => {
  const session = await newSession('settlement-corrected');
  const order = { ...exampleOf('requests/single-payment', { payerReference: 'A', amount: '1.00' }), ...MERCHANT };
  await post('/sandbox/init/authenticate/merchant/wallet', order, session.baseUrl);
  await session.settle('A', 'Paid');
  await session.advance('PT13H');
  const state = await session.state();
  expect((await listReports(session)).map(({ version }) => version)).toEqual([1, 1]);
  await session.reset();
  await session.restore(state);
  await session.advance('P2D');
  expect((await listReports(session)).map(({ version }) => version)).toEqual([2, 1, 1]);
  expect(await listAnnouncements(session)).toEqual([]);
});

it('a report whose amount was invoiced is corrected, and has no bank statement', async () => {
  const fixtures = newFolder();
  writeFileSync(join(fixtures, 'settlement.json'), JSON.stringify({ negativeBalance: 'invoice' }));
  const otherSandbox = await startSandbox({ now: Date.parse(NOW), fixtures, checkAnswers: true });
  const session = otherSandbox.session('invoiced');
  await session.useScenario('settlement-corrected');
  const order = { ...exampleOf('requests/single-payment', { payerReference: 'A', amount: '1.00' }), ...MERCHANT };
  await post('/sandbox/init/authenticate/merchant/wallet', order, session.baseUrl);
  await session.settle('A', 'Paid');
  await session.advance('P3D');
  expect((await listReports(session)).map(({ version }) => version)).toEqual([2, 1, 1]);
  const statement = await request(session.baseUrl).get('/_sandbox/settlements/settlement-1/statement');
  expect([statement.status, statement.body.detail]).toEqual([
    409,
    "nothing of settlement-1 was transferred: it was put on the month's invoice",
  ]);
  await otherSandbox.close();
});

it('layout 2 has all columns of layout 1, with debit, credit and direction in place of net', () => {
  const { file } = JSON.parse(readFileSync('fixtures/settlement.json', 'utf8'));
  const moved = [...file.columns.filter((column: string) => column !== 'net'), 'debit', 'credit', 'direction'];
  expect([...file.nextLayout.columns].sort()).toEqual(moved.sort());
});

it('an account that merchants share has one statement, with its complete IBAN', async () => {
  const iban = 'FR1420041010050500013M02606';
  const account = { bankBICCode: 'BNPAFRPP', accountNumber: iban };
  const fixtures = newFolder();
  const settlement = { account, negativeBalance: 'invoice', invoice: { seller: 'Tea Payments' } };
  writeFileSync(join(fixtures, 'settlement.json'), JSON.stringify(settlement));
  const otherSandbox = await startSandbox({ now: Date.parse(NOW), fixtures, checkAnswers: true });
  const session = otherSandbox.session('shared');
  await makePaidPayment(session, 'A');
  await makePaidPayment(session, 'B', OTHER);
  const cheap = { ...exampleOf('requests/single-payment', { payerReference: 'C', amount: '1.00' }), ...MERCHANT };
  await session.advance('P1D');
  expect((await post('/sandbox/init/authenticate/merchant/wallet', cheap, session.baseUrl)).status).toBe(200);
  await session.settle('C', 'Paid');
  await session.advance('P1D');
  const [report] = await listReports(session, '?', 'bank-statement');
  const { address } = requireDefined(report);
  const [one, other] = await Promise.all(
    [1000, 1001].map(async (number) => (await fetchAs(await tokenOf(session.baseUrl, number), address)).body),
  );
  expect(one.entries.map(({ settlementId, counterparty }: Item) => [settlementId, counterparty])).toEqual([
    ['settlement-1', 'Tea Payments'],
    ['settlement-2', 'Tea Payments'],
  ]);
  expect(other).toEqual(one);
  const token = await tokenOf(session.baseUrl);
  expect((await fetchAs(token, `${address}?format=camt.053`)).text).toContain(`<IBAN>${iban}</IBAN>`);
  expect((await fetchAs(token, `${address}?format=mt940`)).text).toContain(`:25:${iban}\r\n`);
  const invoiced = await session.call<{ state: string }>('GET', '/settlements/settlement-3');
  expect(invoiced.state).toBe('Invoiced');
  expect(await session.call('GET', '/settlements/settlement-3/statement?date=2026-03-06')).toEqual(one);
  await otherSandbox.close();
});

it('reports have layout 2 from the day in the fixture, or earlier if a scenario has the mistake new-layout', async () => {
  const fixtures = newFolder();
  const nextLayout = { from: '2026-03-06', columns: ['layout', 'net', 'version', 'lineType'] };
  writeFileSync(join(fixtures, 'settlement.json'), JSON.stringify({ file: { nextLayout } }));
  const otherSandbox = await startSandbox({ now: Date.parse(NOW), fixtures, checkAnswers: true });
  const session = otherSandbox.session('layouts');
  await session.defineScenario({
    name: 'early',
    description: '',
    rules: [{ when: { operation: 'closeSettlement' }, mismatches: { kinds: ['new-layout'], totals: 'stay' } }],
  });
  await makePaidPayment(session, 'A');
  await session.call('POST', '/settlements/close', {});
  await session.useScenario('early');
  await makePaidPayment(session, 'B');
  await session.advance('P1D');
  await makePaidPayment(session, 'C');
  await session.advance('P1D');
  const token = await tokenOf(session.baseUrl);
  const csvOf = async (id: string) =>
    (await fetchAs(token, `${session.baseUrl}/_sandbox/reports/settlement-file/${id}?format=csv`)).text;
  expect((await csvOf('settlement-1')).startsWith('record,line,settlementId,')).toBe(true);
  expect(await csvOf('settlement-2')).toBe('layout,net,version,lineType\r\n2,,1,\r\n,7.60,,payment\r\n,7.60,,\r\n');
  expect((await csvOf('settlement-3')).split('\r\n')[0]).toBe('layout,net,version,lineType');
  const keyOf = (id: string) => session.call<SettlementAnswerKey>('GET', `/settlements/${id}/answer-key`);
  expect((await keyOf('settlement-2')).findings).toMatchObject([{ kind: 'new-layout', expected: 1, shown: 2 }]);
  expect(await keyOf('settlement-3')).toMatchObject({ findings: [], skipped: ['new-layout'] });
  await otherSandbox.close();
});
