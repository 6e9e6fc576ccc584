import type { Page } from 'playwright-core';
import { CATCH_URL } from '../../src/base/catch.ts';
import { LONG_WAIT } from '../long-wait.ts';
import { pay } from '../server/payer-pages/visits.ts';
import { AXE, violationsOn } from './axe.ts';
import { waitForCount } from './browser.ts';
import { ConsolePage, DESKTOP, PHONE } from './console-page.ts';
import { makeRefusedCall } from './records.ts';

let ui: ConsolePage;

beforeAll(async () => {
  ui = await ConsolePage.start();
});
afterEach(() => ui.finishTest());
afterAll(() => ui.close());

const tour = () => ui.page.getByTestId('tour');
const step = (title: string) => tour().getByRole('listitem').filter({ hasText: title });
const waitForStep = (title: string) => tour().locator('[aria-current=step]').filter({ hasText: title }).waitFor();
const tile = (label: string) => ui.page.getByTestId('attention').getByRole('link').filter({ hasText: label });

/** Opens the payer's page in a new tab by a button, and approves the payment there. */
async function approveInTab(open: () => Promise<void>): Promise<void> {
  const newPage = ui.page.context().waitForEvent('page');
  await open();
  const tab: Page = await newPage;
  await tab.getByRole('button', { name: 'Approve' }).click();
  await tab.getByText('Paid').first().waitFor();
  await tab.close();
  await ui.page.bringToFront();
}

describe('the overview', () => {
  it.each([
    ['Refused calls', 'refused:true', 'Initiate payment'],
    ['Failed deliveries', 'state:failed', 'payment.failed'],
  ])('counts %s, and links to their list', async (label, filter, row) => {
    const session = await ui.newSession();
    ui.receiver.status = 500;
    await session.setEndpoints([{ url: ui.receiver.url }]);
    await pay(session, { payerReference: 'ORDER-1' });
    await session.settle('ORDER-1', 'Failed');
    await session.advance('P5D');
    ui.receiver.status = 200;
    await pay(session, { payerReference: 'ORDER-2' });
    await makeRefusedCall(session);
    await ui.open(session, 'overview');
    await tile(label).filter({ hasText: '1' }).click();
    await ui.page.getByTestId('count').filter({ hasText: '1 row' }).waitFor();
    const { pathname, searchParams } = new URL(ui.page.url());
    expect([pathname.split('/').at(-1), searchParams.get('q')]).toEqual(['traffic', filter]);
    expect(await ui.page.locator('.list a.row').textContent()).toContain(row);
  });

  it('does not count problems that a scenario caused', async () => {
    const session = await ui.newSession();
    await session.setEndpoints([{ url: ui.receiver.url }]);
    await session.useScenario('declined');
    await pay(session, { payerReference: 'ORDER-1' });
    await session.advance('PT1M');
    await session.useScenario('outage');
    await pay(session, { payerReference: 'ORDER-2' }).catch(() => undefined);
    await ui.open(session, 'overview');
    await ui.page.getByRole('link', { name: 'Failed 1' }).waitFor();
    await ui.page.getByTestId('no-attention').waitFor();
  });

  it('shows a dismissed tile again after the next refused call, also after a reset', async () => {
    const session = await ui.newSession();
    await makeRefusedCall(session);
    await makeRefusedCall(session);
    await ui.open(session, 'overview');
    await tile('Refused calls').filter({ hasText: '2' }).waitFor();
    await ui.page.getByRole('button', { name: 'Dismiss refused calls' }).click();
    await ui.page.getByText('No new problems since the dismissed ones.').waitFor();
    await ui.page.reload();
    await ui.page.getByTestId('no-attention').waitFor();
    await makeRefusedCall(session);
    await tile('Refused calls').filter({ hasText: '1' }).waitFor();
    await ui.page.getByRole('button', { name: 'Dismiss refused calls' }).click();
    await ui.page.getByTestId('no-attention').waitFor();
    await session.reset();
    await makeRefusedCall(session);
    await tile('Refused calls').filter({ hasText: '1' }).waitFor();
  });

  it('shows the dismissed tile of failed deliveries again if one of them is sent again and fails', async () => {
    const session = await ui.newSession();
    ui.receiver.status = 500;
    await session.setEndpoints([{ url: ui.receiver.url }]);
    await pay(session, { payerReference: 'ORDER-1' });
    await pay(session, { payerReference: 'ORDER-2' });
    await session.settle('ORDER-1', 'Failed');
    await session.settle('ORDER-2', 'Failed');
    await session.advance('P5D');
    await ui.open(session, 'overview');
    await tile('Failed deliveries').filter({ hasText: '2' }).waitFor();
    await ui.page.getByRole('button', { name: 'Dismiss failed deliveries' }).click();
    await tile('Failed deliveries').waitFor({ state: 'detached' });
    const { items } = await session.deliveries({ state: 'failed', search: 'ORDER-1' });
    await session.resend(items[0]?.id ?? '');
    await session.advance('P5D');
    await tile('Failed deliveries').filter({ hasText: '1' }).waitFor();
  });

  it('counts findings, and links to them', async () => {
    const session = await ui.newSession();
    await pay(session, { payerReference: 'ORDER-1' });
    await pay(session, { payerReference: 'ORDER-1' });
    await ui.open(session, 'overview');
    await tile('Findings in your integration').filter({ hasText: '1' }).click();
    await ui.page.getByTestId('finding').waitFor();
  });

  it('updates with each change, and its charts have descriptions in words', async () => {
    const session = await ui.newSession();
    await pay(session, { payerReference: 'ORDER-1' });
    await ui.open(session, 'overview');
    const chart = (name: string | RegExp) => ui.page.getByRole('img', { name });
    await ui.page.getByRole('link', { name: 'Processing 1' }).waitFor();
    await session.advance('PT2M');
    await pay(session, { payerReference: 'ORDER-2', walletName: 'WALLET_SWITCH' });
    await session.settle('ORDER-1', 'Paid');
    await chart('Payments by state: Paid 1, Processing 1').waitFor();
    await chart(
      'Payments over time: 2 from 2026-03-01 10:00:00 to 2026-03-01 10:02:00, at most 1 in one column, at 10:00:00',
    ).waitFor();
    expect(await ui.page.locator('.plot-most').textContent()).toBe('1 payment');
    expect(await ui.page.locator('.plot-axis span').first().textContent()).toBe('2026-03-01 10:00 UTC');
    await ui.page.getByRole('link', { name: 'Domestic card switch 1' }).click();
    await ui.page.locator('.list a.row').filter({ hasText: 'ORDER-2' }).waitFor();
    expect(new URL(ui.page.url()).searchParams.get('q')).toBe('channel:card-switch');
  });

  it('links the number of failed attempts to their list', async () => {
    const session = await ui.newSession();
    await session.setEndpoints([{ url: 'http://127.0.0.1:1/' }]);
    await pay(session, { payerReference: 'ORDER-1' });
    await session.settle('ORDER-1', 'Paid');
    await session.waitForEvent('delivery.failed', LONG_WAIT);
    await ui.open(session, 'overview');
    await ui.page
      .getByTestId('attempts')
      .filter({ hasText: /^1 of 1 attempt failed$/ })
      .waitFor();
    await ui.page.getByRole('link', { name: '1 of 1 attempt failed' }).click();
    await ui.page.locator('.list a.row').filter({ hasText: 'Delivery attempt failed' }).waitFor();
    await waitForCount(ui.page.locator('.list a.row'), 1);
  });

  it('shows failed attempts of a delivery that succeeded in the end', async () => {
    const session = await ui.newSession();
    ui.receiver.status = 500;
    await session.setEndpoints([{ url: ui.receiver.url }]);
    await pay(session, { payerReference: 'ORDER-1' });
    await session.settle('ORDER-1', 'Paid');
    await session.waitForEvent('delivery.failed', LONG_WAIT);
    ui.receiver.status = 200;
    await session.advance('PT1H');
    await session.waitForDelivery('ORDER-1', LONG_WAIT);
    await ui.open(session, 'overview');
    await ui.page.getByRole('link', { name: 'Delivered 1', exact: true }).waitFor();
    await ui.page.getByRole('link', { name: '1 of 2 attempts failed, but retries succeeded' }).waitFor();
    expect(await ui.page.getByRole('img', { name: 'Deliveries by state' }).count()).toBe(0);
  });

  it('shows the last refused calls', async () => {
    const session = await ui.newSession();
    await makeRefusedCall(session);
    await ui.open(session, 'overview');
    await ui.page.locator('.refused a').filter({ hasText: '400' }).click();
    await ui.page.getByTestId('why').waitFor();
  });

  it('is the first screen of the console, and covers only one session', async () => {
    const [session, other] = [await ui.newSession(), await ui.newSession()];
    await pay(other, {});
    await ui.open(session, '');
    await tour().waitFor();
    expect(ui.page.url()).toMatch(/\/console\/overview$/);
    await waitForCount(ui.page.getByTestId('attention'), 0);
  });

  it.each([[DESKTOP], [PHONE]])('is accessible at %o, empty and filled, in light and dark', async (viewport) => {
    const session = await ui.newSession();
    await ui.open(session, 'overview', { viewport });
    await ui.page.evaluate(AXE);
    const checkAccessibility = async () => {
      expect(await violationsOn(ui.page)).toEqual([]);
      expect(await ui.page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
    };
    await waitForStep('Make a payment');
    await checkAccessibility();
    await session.setEndpoints([{ url: ui.receiver.url }]);
    await pay(session, { payerReference: 'ORDER-1' });
    await session.settle('ORDER-1', 'Failed');
    await session.waitForDelivery('ORDER-1', LONG_WAIT);
    await session.advance('PT1H');
    await pay(session, { payerReference: 'ORDER-2' });
    await makeRefusedCall(session);
    await ui.page.getByRole('link', { name: 'Delivered 1' }).waitFor();
    await tile('Refused calls').filter({ hasText: '1' }).waitFor();
    await checkAccessibility();
  });
});

describe('the tour', () => {
  it('leads from an empty session to a caught notification', async () => {
    const session = await ui.newSession();
    await ui.open(session, 'overview');
    await waitForStep('Make a payment');
    await tour().getByRole('button', { name: 'Send a payment' }).click();
    await waitForStep('Be the payer');
    await approveInTab(() => tour().getByRole('link', { name: 'Be the payer' }).click());
    await step('See the notification').getByRole('link', { name: 'payment.paid' }).click();
    await ui.waitForRecord('payment.paid');
    await ui.page.locator('.record-detail').getByText('Caught here', { exact: true }).waitFor();
    await ui.page.getByText(/\d headers$/).click();
    await ui.page.getByText('webhook-signature').waitFor();
    expect((await session.deliveries()).items).toMatchObject([{ url: CATCH_URL, state: 'delivered' }]);
  });

  it('ticks a step after a call made elsewhere, and catches notifications if there is no endpoint', async () => {
    const session = await ui.newSession();
    await ui.open(session, 'overview');
    const call = tour().getByRole('button', { name: 'Copy call' });
    await call.click();
    expect(await ui.readClipboard()).toContain(`curl ${session.baseUrl}/sandbox/init/authenticate/merchant/wallet`);
    await pay(session, { payerReference: 'ORDER-7' });
    await waitForStep('Be the payer');
    expect(await step('Make a payment').textContent()).toContain('ORDER-7');
    await session.settle('ORDER-7', 'Paid');
    await waitForStep('See the notification');
    await step('See the notification').getByRole('button', { name: 'Catch here' }).click();
    await ui.waitForToast('Notifications are now caught here.');
    await tour().getByRole('button', { name: 'Send another payment' }).click();
    await waitForStep('Be the payer');
    const [{ payerReference = '' } = {}] = (await session.payments({ state: 'Processing' })).items;
    await session.settle(payerReference, 'Failed');
    await step('See the notification').getByRole('link', { name: 'payment.failed' }).waitFor();
    await tour().getByText('That is a payment from start to finish').waitFor();
  });

  it('stays closed, and can be opened again by a button', async () => {
    const session = await ui.newSession();
    await ui.open(session, 'overview');
    await tour().getByRole('button', { name: 'Close the tour' }).click();
    await ui.page.getByText('No activity yet').waitFor();
    await ui.page.reload();
    await ui.page.getByRole('button', { name: 'Take the tour' }).click();
    await waitForStep('Make a payment');
  });

  it('does not open by itself if there are payments', async () => {
    const session = await ui.newSession();
    await pay(session, {});
    await ui.open(session, 'overview');
    await ui.page.getByRole('button', { name: 'Take the tour' }).waitFor();
    await waitForCount(tour(), 0);
  });
});

it('the composer offers to act as the payer of the sent payment until it is decided', async () => {
  const session = await ui.newSession();
  await ui.open(session, 'try');
  await ui.page.getByTestId('send').click();
  const next = ui.page.getByTestId('be-the-payer');
  await next.waitFor();
  await approveInTab(() => next.click());
  await next.waitFor({ state: 'detached' });
  expect((await session.payments()).items).toMatchObject([{ state: 'Paid' }]);
});

it('Catch here adds an endpoint, and is offered again once that is removed', async () => {
  const session = await ui.newSession();
  await ui.open(session, 'deliveries');
  await ui.page.getByRole('button', { name: 'Catch here' }).click();
  await ui.waitForToast('Notifications are now caught here.');
  await ui.page.getByRole('link', { name: 'Endpoints' }).click();
  await ui.page.getByText('Caught here', { exact: true }).waitFor();
  await ui.page.getByRole('button', { name: 'Catch here' }).waitFor({ state: 'detached' });
  await ui.page.getByRole('button', { name: 'Remove' }).click();
  await ui.page.getByText('No server yet?').waitFor();
  expect((await session.endpoints()).endpoints).toEqual([]);
});

it('a list has a summary beside it while none of its rows is open', async () => {
  const session = await ui.newSession();
  await pay(session, { payerReference: 'ORDER-1' });
  await makeRefusedCall(session);
  await ui.open(session, 'payments');
  await ui.page.getByLabel('Detail').getByRole('link', { name: 'Processing 1' }).waitFor();
  await ui.navigate(session, 'requests');
  await ui.page.getByLabel('Detail').getByText('Last refused calls').waitFor();
});
