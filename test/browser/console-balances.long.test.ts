// Balances, bank statements, and late or corrected reports, in the console.
import type { SandboxClient } from '../../src/client/client.ts';
import { credentials } from '../interface/calls.ts';
import { pay } from '../server/payer-pages/visits.ts';
import { AXE, violationsOn } from './axe.ts';
import { waitForCount } from './browser.ts';
import { ConsolePage, DESKTOP, PHONE } from './console-page.ts';

let ui: ConsolePage;

beforeAll(async () => {
  ui = await ConsolePage.start();
});
afterEach(() => ui.finishTest());
afterAll(() => ui.close());

async function payAndSettle(
  session: SandboxClient,
  payerReference: string,
  amount = '10.00',
  merchant = 1000,
): Promise<void> {
  await pay(session, { payerReference, amount, ...credentials(merchant) });
  await session.settle(payerReference, 'Paid');
}

async function closeSettlementUnder(scenario: string): Promise<SandboxClient> {
  const session = await ui.newSession();
  await session.useScenario(scenario);
  await payAndSettle(session, 'ORDER-1');
  await session.call('POST', '/settlements/close', {});
  return session;
}

async function rowsOf(testId: string): Promise<string[][]> {
  const rows = await ui.page.getByTestId(testId).locator('tbody tr').all();
  return Promise.all(rows.map((row) => row.locator('td').allTextContents()));
}

async function advanceTo(session: SandboxClient, to: string): Promise<void> {
  const { now } = await session.clock();
  await session.advance(`PT${(Date.parse(to) - Date.parse(now)) / 1000}S`);
}

it('balances update with payments, and link to their days and settlements', async () => {
  const session = await ui.newSession();
  await payAndSettle(session, 'ORDER-1');
  await payAndSettle(session, 'ORDER-2', '1.00', 1001);
  await session.advance('P1D');
  await payAndSettle(session, 'ORDER-3');
  await ui.open(session, 'balances');
  const { page } = ui;
  await page.getByTestId('balances').waitFor();
  expect(await rowsOf('balances')).toEqual([
    ['Corner Shop M-1000', 'USD, production', '7.60', '0.00', '7.60', '0.00'],
    ['Harbour Books M-1001', 'USD, production', '0.00', '-1.04', '-1.04', '0.00'],
  ]);
  await payAndSettle(session, 'ORDER-4');
  await page.getByTestId('balances').filter({ hasText: '15.20' }).waitFor();
  await page.getByTestId('balances').getByRole('link', { name: 'Corner Shop' }).click();
  await page.getByTestId('days').waitFor();
  expect(await rowsOf('days')).toEqual([
    ['2026-03-02', 'settlement-3', 'Open', '0.00', '20.00', '-4.80', '15.20', '0.00', '15.20'],
    ['2026-03-01', 'settlement-1', 'Closed', '0.00', '10.00', '-2.40', '7.60', '7.60', '0.00'],
  ]);
  await page.getByTestId('days').getByRole('link', { name: 'settlement-1' }).click();
  await page.getByTestId('lines').waitFor();
  await page.getByRole('link', { name: 'Balance by day' }).click();
  await page.getByTestId('days').waitFor();
  await page.getByRole('link', { name: '‹ Balances' }).click();
  await page.getByRole('heading', { name: 'Balances' }).waitFor();
  await waitForCount(page.getByTestId('balances').locator('tbody tr'), 2);
});

it('a settlement links to its bank statement in each format, once it exists', async () => {
  const session = await closeSettlementUnder('bank-statement-mismatches');
  await ui.open(session, 'settlements/settlement-1');
  const { page } = ui;
  await page.getByText('The bank books the transfer on 2026-03-02.').waitFor();
  await session.advance('P1D');
  await page.getByRole('link', { name: 'camt.053' }).waitFor();
  const hrefs = await page
    .locator('section.section', { hasText: 'Bank statement' })
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => (link as unknown as { href: string }).href));
  const paths = hrefs.map((href) => href.split('/settlement-1/')[1]);
  expect(paths).toEqual([
    'statement?format=camt.053',
    'statement?format=mt940',
    'statement?format=csv',
    'statement',
    'answer-key',
  ]);
  const types = hrefs.map(async (href) => (await fetch(href)).headers.get('content-type')?.split(';')[0]);
  expect(await Promise.all(types)).toEqual([
    'application/xml',
    'text/plain',
    'text/csv',
    'application/json',
    'application/json',
  ]);
});

it('the notification of a paid settlement links to the settlement', async () => {
  const session = await ui.newSession();
  await session.setEndpoints([{ url: ui.receiver.url }]);
  await session.useScenario('settlement-announced');
  await payAndSettle(session, 'ORDER-1');
  await session.call('POST', '/settlements/close', {});
  await session.advance('P1D');
  const { items } = await session.deliveries();
  const delivery = items.find(({ type }) => type === 'settlement.paid');
  await ui.open(session, `traffic/${delivery?.id}`);
  await ui.page.getByRole('link', { name: '2026-03-01', exact: true }).click();
  await ui.page.getByRole('link', { name: 'camt.053' }).waitFor();
});

it('a settlement shows how late its file is', async () => {
  const session = await closeSettlementUnder('settlement-report-late');
  await ui.open(session, 'settlements/settlement-1');
  const note = ui.page.getByTestId('report-note');
  await note.filter({ hasText: 'The merchant gets the file 6 h after the settlement is paid.' }).waitFor();
  await advanceTo(session, '2026-03-02T08:00:00Z');
  await note.filter({ hasText: 'The merchant gets the file 6 h after the settlement was paid.' }).waitFor();
  await advanceTo(session, '2026-03-02T13:00:00Z');
  await note.filter({ hasText: 'The merchant got the file 6 h after the settlement was paid.' }).waitFor();
});

it('a corrected settlement file is shown in both versions, with a note that explains them', async () => {
  const session = await closeSettlementUnder('settlement-corrected');
  await ui.open(session, 'settlements/settlement-1');
  const { page } = ui;
  const transferred = async () => (await page.getByTestId('lines').locator('.last .money').allTextContents())[0];
  await page.getByRole('button', { name: 'As the merchant gets it, with mistakes' }).waitFor();
  await waitForCount(page.getByTestId('report-note'), 0);
  await advanceTo(session, '2026-03-03T07:00:00Z');
  await page
    .getByTestId('report-note')
    .filter({ hasText: /^ *Version 1 was issued twice. Version 2 corrects version 1. *$/ })
    .waitFor();
  await page.getByRole('button', { name: 'Version 1, with mistakes' }).click();
  await page.getByText("The file's own total is the sum of its lines.").waitFor();
  expect(await transferred()).not.toBe('7.60');
  const csv = page.getByRole('link', { name: 'CSV' }).first();
  expect(await csv.getAttribute('href')).toContain('/settlement-1/file?format=csv&version=1');
  await page.getByRole('button', { name: 'Version 2, corrected' }).click();
  expect(await transferred()).toBe('7.60');
  expect(await csv.getAttribute('href')).toMatch(/\/settlement-1\/file\?format=csv$/);
});

it.each([[DESKTOP], [PHONE]])(
  'the screens of settlements and balances are accessible at %o, in light and dark, and fit the window',
  async (viewport) => {
    const session = await closeSettlementUnder('settlement-corrected');
    await session.advance('P3D');
    await payAndSettle(session, 'ORDER-2', '1249.90');
    await ui.open(session, 'settlements', { viewport });
    await ui.page.evaluate(AXE);
    for (const screen of [
      'settlements',
      'settlements/settlement-1',
      'balances',
      'balances?merchantId=M-1000&environment=sandbox&currency=USD',
    ]) {
      await ui.navigateAndWait(session, screen);
      expect([screen, await violationsOn(ui.page)]).toEqual([screen, []]);
      const width = await ui.page.evaluate('document.documentElement.scrollWidth');
      const cutHeaders = await ui.page
        .locator('main .section > header')
        .evaluateAll((headers) => headers.filter((header) => header.scrollWidth > header.clientWidth).length);
      expect([screen, width, cutHeaders]).toEqual([screen, viewport.width, 0]);
    }
  },
);
