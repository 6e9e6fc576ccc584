// Actions of users who do not wait for an answer.
import type { SandboxClient } from '../../src/client/client.ts';
import { pay } from '../server/payer-pages/visits.ts';
import { ConsolePage } from './console-page.ts';

let ui: ConsolePage;
let session: SandboxClient;

/** A promise, with the function that resolves it. */
function deferred(): { promise: Promise<void>; resolve(): void } {
  let resolve = () => {};
  const promise = new Promise<void>((resolvePromise) => {
    resolve = resolvePromise;
  });
  return { promise, resolve };
}

let release: () => void;

beforeAll(async () => {
  ui = await ConsolePage.start();
});
beforeEach(async () => {
  session = await ui.newSession();
});
afterEach(async () => {
  await ui.page.unrouteAll({ behavior: 'ignoreErrors' });
  await ui.finishTest();
});
afterAll(() => ui.close());

/** Holds calls of a method to an address until `release` is called. */
async function hold(method: string, address: string): Promise<void> {
  const { promise, resolve } = deferred();
  release = resolve;
  await ui.page.route(address, async (route) => {
    if (route.request().method() === method) {
      await promise;
    }
    await route.continue();
  });
}

async function makePaidPayment(reference: string): Promise<void> {
  await pay(session, { payerReference: reference });
  await session.settle(reference, 'Paid');
}

it('a double click refunds once, and an amount typed during the refund is for the next one', async () => {
  await makePaidPayment('ORDER-1');
  await ui.open(session, 'payments/payment-1');
  const amount = ui.page.getByTestId('adjustments-amount');
  await amount.fill('3');
  await hold('POST', '**/adjustments');
  await ui.page.getByRole('button', { name: 'Refund', exact: true }).dblclick();
  await amount.fill('2');
  release();
  await ui.waitForToast('refunded');
  expect(await amount.inputValue()).toBe('2');
  const { adjustments = [] } = await session.payment('payment-1');
  expect(adjustments.map(({ kind, amount: sum }) => [kind, sum])).toEqual([['refund', '3.00']]);
});

it('endpoints that are removed in quick succession are all gone', async () => {
  await session.setEndpoints(['a', 'b', 'c'].map((name) => ({ url: `${ui.receiver.url}/${name}` })));
  await ui.open(session, 'deliveries/endpoints');
  const remove = ui.page.getByRole('button', { name: 'Remove' });
  await remove.nth(2).waitFor();
  await hold('PUT', '**/webhooks/endpoints');
  await remove.nth(0).click();
  await remove.nth(1).click();
  release();
  await remove.nth(1).waitFor({ state: 'detached' });
  const { endpoints } = await session.endpoints();
  expect(endpoints.map(({ url }) => url)).toEqual([`${ui.receiver.url}/c`]);
});

it('a row that no longer matches the filter of its list leaves the list', async () => {
  await pay(session, { payerReference: 'ORDER-1' });
  await pay(session, { payerReference: 'ORDER-2' });
  await pay(session, { payerReference: 'ORDER-3' });
  await ui.open(session, 'payments?q=state:Processing');
  const row = (text: string) => ui.page.locator('a.row').filter({ hasText: text });
  await row('ORDER-3').waitFor();
  await session.settle('ORDER-2', 'Paid');
  await row('ORDER-2').waitFor({ state: 'detached' });
  await session.settle('ORDER-3', 'Paid');
  await row('ORDER-3').waitFor({ state: 'detached' });
  await session.settle('ORDER-1', 'Paid');
  await row('ORDER-1').waitFor({ state: 'detached' });
});

it('Enter on a command that does not exist leaves the command palette open', async () => {
  await ui.open(session, 'payments');
  await ui.page.keyboard.press('Control+k');
  await ui.page.keyboard.type('no such command');
  await ui.page.keyboard.press('Enter');
  await ui.page.getByRole('combobox').fill('show keyboard shortcuts');
  await ui.page.keyboard.press('Enter');
  await ui.page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await ui.page.keyboard.press('Escape');
});

it('a user who has left the screen is not taken to the answer when it arrives', async () => {
  await ui.open(session, 'try/listBanks');
  await ui.waitUntilLoaded();
  await hold('GET', '**/init/banks/all');
  await ui.page.getByRole('button', { name: /^Send/ }).click();
  await ui.navigateAndWait(session, 'payments');
  release();
  await ui.waitForToast('Sent as request-1.');
  expect(new URL(ui.page.url()).pathname).toMatch(/\/payments$/);
  await ui.page.getByRole('button', { name: 'Show it' }).click();
  await ui.page.waitForURL(/\/traffic\/request-1$/);
});

it('the answer for an earlier text of a scenario does not replace the one for the current text', async () => {
  await pay(session, { payerReference: 'ORDER-1' });
  await ui.open(session, 'scenarios/declined');
  const trial = ui.page.getByTestId('trial');
  await trial.filter({ hasText: 'rule 2 would apply' }).waitFor();
  const { promise, resolve } = deferred();
  await ui.page.route('**/scenarios/try', async (route) => {
    if (route.request().postData()?.includes('WALLET_HELD')) {
      await promise;
    }
    await route.continue();
  });
  const text = (when: object) =>
    JSON.stringify({
      name: 'mine',
      description: 'Mine.',
      rules: [{ when, settle: { outcome: 'Paid', after: 'PT1S' } }],
    });
  const editor = ui.page.getByRole('textbox', { name: 'Definition' });
  const heldRequest = ui.page.waitForRequest((request) => request.postData()?.includes('WALLET_HELD') ?? false);
  await editor.fill(text({ body: { properties: { walletName: { not: { const: 'WALLET_HELD' } } } } }));
  await heldRequest;
  await editor.fill(text({ channel: 'card-switch' }));
  await trial.filter({ hasText: 'no rule would apply' }).waitFor();
  const answered = ui.page.waitForResponse((answer) => answer.request().postData()?.includes('WALLET_HELD') ?? false);
  resolve();
  await (await answered).finished();
  await ui.page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');
  expect(await trial.textContent()).toContain('no rule would apply');
});

it('a late answer to a move of the clock does not replace newer updates', async () => {
  await session.freeze('2026-03-01T10:00:00.000Z');
  await ui.open(session, 'payments');
  const waitForClock = (text: string) => ui.page.getByTestId('clock-now').filter({ hasText: text }).waitFor();
  await waitForClock('10:00:00');
  const { promise, resolve } = deferred();
  await ui.page.route('**/clock/advance', async (route) => {
    const response = await route.fetch();
    await promise;
    await route.fulfill({ response });
  });
  await ui.page.getByText('+1h', { exact: true }).click();
  await waitForClock('11:00:00');
  await session.advance('PT2H');
  await waitForClock('13:00:00');
  const answered = ui.page.waitForResponse('**/clock/advance');
  resolve();
  await (await answered).finished();
  await ui.page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');
  await waitForClock('13:00:00');
});

// The last test, because its fake clock stays installed in the page.
it('a text that is typed on one screen is not searched for on the next', async () => {
  await pay(session, { payerReference: 'ORDER-1' });
  await ui.open(session, 'payments');
  await ui.page.locator('a.row').waitFor();
  await hold('GET', '**/*.js');
  await ui.page.clock.install();
  await ui.page.getByLabel('Search', { exact: true }).fill('ORDER');
  await ui.page.getByRole('link', { name: 'Payouts' }).click();
  await ui.page.clock.runFor(1000);
  release();
  await ui.waitUntilLoaded();
  expect(new URL(ui.page.url()).search).toBe('');
});
