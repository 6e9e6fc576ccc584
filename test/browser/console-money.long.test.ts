// Settlements, the ledger and shop codes in the console: their sums and links.
import type { SandboxClient } from '../../src/client/client.ts';
import { pay } from '../server/payer-pages/visits.ts';
import { AXE, violationsOn } from './axe.ts';
import { waitForCount } from './browser.ts';
import { ConsolePage, DESKTOP, PHONE } from './console-page.ts';
import { makePayout } from './records.ts';

let ui: ConsolePage;

beforeAll(async () => {
  ui = await ConsolePage.start();
});
afterEach(() => ui.finishTest());
afterAll(() => ui.close());

/** A session with paid payments, a refund, a chargeback and a payout. */
async function openSessionWithMoney(): Promise<SandboxClient> {
  const session = await ui.newSession();
  for (const [payerReference, amount] of [
    ['ORDER-1', '1249.90'],
    ['ORDER-2', '10.00'],
    ['ORDER-3', '20.00'],
  ] as const) {
    await pay(session, { payerReference, amount });
    await session.settle(payerReference, 'Paid');
  }
  await session.call('POST', '/payments/ORDER-1/adjustments', { kind: 'refund', amount: '100.00' });
  await session.call('POST', '/payments/ORDER-2/adjustments', { kind: 'chargeback' });
  await makePayout(session, { payerReference: 'PAYOUT-1' });
  return session;
}

async function rowsOf(testId: string, rows: string): Promise<string[][]> {
  const shownRows = await ui.page.getByTestId(testId).locator(rows).all();
  return Promise.all(shownRows.map((row) => row.locator('th, td').allTextContents()));
}

const cents = (text = '') => Number(text.replaceAll(/[,.]/g, ''));

describe('settlements', () => {
  it('are listed in columns that add up, and link to a settlement whose lines add up by kind, from gross to net', async () => {
    const session = await openSessionWithMoney();
    await ui.open(session, 'settlements');
    const { page } = ui;
    await page.getByText('less the fees of each payment, payout and chargeback').waitFor();
    await page.getByText('so far 1,097.70 USD').waitFor();
    expect((await rowsOf('settlements', 'tbody tr'))[0]?.slice(2)).toEqual([
      'Open',
      'Not closed yet, so far 1,097.70 USD',
    ]);
    await page.getByRole('link', { name: '2026-03-01' }).click();
    await page.getByTestId('close').click();
    await page.getByTestId('lines').waitFor();
    expect(await page.getByTestId('period').textContent()).toMatch(
      /until it was closed at .*, before the cut-off at .* UTC\./,
    );
    const sums = (await rowsOf('lines', '.sum')).map((cells) => cells.filter((cell) => cell !== ''));
    expect(sums).toEqual([
      ['Payments', '1,279.90', '-57.20', '1,222.70'],
      ['Refunds', '-100.00', '0.00', '-100.00'],
      ['Chargebacks', '-10.00', '-15.00', '-25.00'],
      ['Total', '1,169.90', '-72.20', '1,097.70'],
      ['Transferred, in USD', '1,097.70'],
    ]);
    expect((await rowsOf('waterfall', 'tbody tr')).map(([label, , amount]) => [label, amount])).toEqual([
      ['Payments', '1,279.90'],
      ['Refunds', '-100.00'],
      ['Chargebacks', '-10.00'],
      ['Gross', '1,169.90'],
      ['Mark-up fees', '-25.60'],
      ['Service provider fees', '-6.00'],
      ['Gateway fees', '-25.60'],
      ['Chargeback fees', '-15.00'],
      ['Net', '1,097.70'],
      ['Transferred', '1,097.70'],
    ]);
    expect(await page.getByRole('link', { name: 'CSV' }).getAttribute('href')).toContain(
      '/settlement-1/file?format=csv',
    );
    await session.advance('P4D');
    await page.getByTestId('return').click();
    await ui.waitForState('Returned');
    await page.keyboard.press('Escape');
    const table = page.getByTestId('settlements');
    await table.filter({ hasText: 'Returned' }).waitFor();
    const [total = []] = await rowsOf('settlements', 'tfoot tr');
    const [, gross, fees, net, returned, transferred] = total;
    expect(total).toEqual([
      'Total of the 1 closed settlement above',
      '1,169.90',
      '-72.20',
      '1,097.70',
      '-1,097.70',
      '0.00',
    ]);
    expect(cents(gross) + cents(fees)).toBe(cents(net));
    expect(cents(net) + cents(returned)).toBe(cents(transferred));
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByText('Lines and totals are fixed when the settlement is closed').waitFor();
  });

  it('lead from a line to its payment, from there to its entries, and to the ledger', async () => {
    const session = await openSessionWithMoney();
    await session.call('POST', '/settlements/close', {});
    await ui.open(session, 'settlements/settlement-1');
    const { page } = ui;
    await page.getByTestId('lines').getByRole('link', { name: 'ORDER-2' }).first().click();
    await ui.waitForRecord('ORDER-2');
    await page.getByRole('link', { name: 'Entries in the ledger' }).click();
    const entries = page.getByTestId('entries');
    await entries.filter({ hasText: 'Payment charged back' }).waitFor();
    expect((await entries.locator('.group').allTextContents()).map((text) => text.split(' · ')[0])).toEqual([
      'Payment charged back',
      'Payment paid',
    ]);
    await entries.getByRole('link', { name: 'fees:chargeback' }).click();
    await page.getByTestId('entries-of').filter({ hasText: 'fees:chargeback' }).waitFor();
    await page.getByRole('link', { name: '‹ Ledger' }).click();
    await page.getByTestId('accounts').waitFor();
  });

  it('show the file as the merchant gets it if it has mistakes, and how far its total is off', async () => {
    const session = await ui.newSession();
    for (let number = 1; number <= 9; number += 1) {
      await pay(session, { payerReference: `ORDER-${number}`, amount: `${number}0.00` });
      await session.settle(`ORDER-${number}`, 'Paid');
    }
    await session.useScenario('settlement-mismatches');
    await session.call('POST', '/settlements/close', {});
    await ui.open(session, 'settlements/settlement-1');
    const { page } = ui;
    const total = async () => (await rowsOf('lines', '.last')).flat().at(-1);
    await page.getByTestId('lines').waitFor();
    expect(await total()).toBe('414.00');
    await page.getByRole('button', { name: 'As the merchant gets it' }).click();
    await page.getByTestId('file-total').filter({ hasText: "The file's own total is 414.00 USD:" }).waitFor();
    expect(await total()).not.toBe('414.00');
    await waitForCount(page.getByRole('link', { name: 'Answer key' }), 1);
  });
});

describe('the ledger', () => {
  it('has accounts that add up to zero, reports a clean check, and shows the entry of a new payment', async () => {
    const session = await openSessionWithMoney();
    await ui.open(session, 'ledger');
    const { page } = ui;
    await page.getByTestId('accounts').waitFor();
    for (const [, debits, credits, balance] of await rowsOf('accounts', 'tfoot tr')) {
      expect([debits, balance]).toEqual([credits, '0.00']);
    }
    await page.getByRole('button', { name: 'Check against the records' }).click();
    await page
      .getByTestId('check')
      .filter({ hasText: /^ *The ledger balances and agrees with the records: 6 entries of/ })
      .waitFor();
    await pay(session, { payerReference: 'ORDER-4', amount: '7.00' });
    await session.settle('ORDER-4', 'Paid');
    await page.getByTestId('entries').getByRole('link', { name: 'payment-4' }).waitFor();
    await page.getByLabel('Record or account').fill('payment-4');
    await page.getByRole('button', { name: 'Show entries' }).click();
    await page.getByText('Entries of a record').waitFor();
    await waitForCount(page.getByTestId('entries').locator('.group'), 1);
  });
});

it('a shop code can be created in the console, is shown as a QR code, and can be deactivated', async () => {
  const session = await ui.newSession();
  await ui.open(session, 'codes');
  const { page } = ui;
  await page.getByTestId('new-code').click();
  await page.locator('select[name=merchantId]').selectOption('M-1001');
  await page.getByLabel('Reference').fill('TILL-7');
  await page.getByLabel('Amount').fill('2.5');
  await page.getByLabel('Description').fill('Coffee');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await ui.waitForRecord('TILL-7');
  await page.locator('.qr path[d*=M]').waitFor();
  expect(await session.call('GET', '/shop-codes/TILL-7')).toMatchObject({
    merchantId: 'M-1001',
    amount: '2.50',
    currency: 'USD',
    description: 'Coffee',
    environment: 'sandbox',
    active: true,
  });
  await page.getByTestId('deactivate').click();
  await page.getByText('Shop code · not active').waitFor();
});

it('a settlement on a phone is a card with labels on the left and figures on the right', async () => {
  const session = await openSessionWithMoney();
  await session.call('POST', '/settlements/close', {});
  await ui.open(session, 'settlements');
  const { page } = ui;
  await page.setViewportSize(PHONE);
  const figures = page.getByTestId('settlements').locator('tbody td.number');
  await figures.first().waitFor();
  const places = await figures.evaluateAll((cells) =>
    cells.flatMap((cell) => {
      const text = document.createRange();
      text.selectNodeContents(cell);
      const [shown, whole] = [text.getBoundingClientRect(), cell.getBoundingClientRect()];
      return shown.width === 0
        ? []
        : [{ isRight: whole.right - shown.right < 2, isClear: shown.left - whole.left > 80 }];
    }),
  );
  expect(places.length).toBeGreaterThan(3);
  expect(places).toEqual(places.map(() => ({ isRight: true, isClear: true })));
});

it.each([[DESKTOP], [PHONE]])(
  'the screens about money are accessible at %o, in light and dark, and fit the window',
  async (viewport) => {
    const session = await openSessionWithMoney();
    await session.useScenario('settlement-mismatches');
    await session.advance('P1D');
    await pay(session, { payerReference: 'ORDER-4', amount: '1.00' });
    await session.settle('ORDER-4', 'Paid');
    await session.advance('P1D');
    await ui.open(session, 'settlements', { viewport });
    await ui.page.evaluate(AXE);
    for (const screen of [
      'settlements',
      'settlements/settlement-1',
      'settlements/settlement-2',
      'ledger',
      'ledger?recordId=payment-2',
      'codes',
    ]) {
      await ui.navigate(session, screen);
      await ui.page.locator('main :is(h1, h2):visible').first().waitFor();
      await ui.page.locator('main:not(:has([aria-busy=true]))').waitFor();
      if (screen === 'codes') {
        await ui.page.getByTestId('new-code').click();
      }
      expect([screen, await violationsOn(ui.page)]).toEqual([screen, []]);
      expect([screen, await ui.page.evaluate('document.documentElement.scrollWidth')]).toEqual([
        screen,
        viewport.width,
      ]);
    }
  },
);
