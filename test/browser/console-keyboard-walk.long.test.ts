// A payment from start to finish without a mouse, and the confirmation before the clock advances.
import type { SandboxClient } from '../../src/client/client.ts';
import { pay } from '../server/payer-pages/visits.ts';
import { ConsolePage } from './console-page.ts';

let ui: ConsolePage;
let session: SandboxClient;

beforeAll(async () => {
  ui = await ConsolePage.start();
});
beforeEach(async () => {
  session = await ui.newSession();
});
afterEach(() => ui.finishTest());
afterAll(() => ui.close());

const press = async (...keys: string[]) => {
  for (const key of keys) {
    await ui.page.keyboard.press(key);
  }
};
const focusedText = () => ui.page.evaluate('document.activeElement.textContent') as Promise<string>;

/** Runs the first command that some words find, once it is listed. */
async function runCommand(words: string, name: string | RegExp): Promise<void> {
  await press('Control+k');
  await ui.page.keyboard.type(words);
  await ui.page.getByRole('option', { name, exact: true, selected: true }).waitFor();
  await press('Enter');
}

describe('the keyboard without a mouse', () => {
  it('makes a payment, decides it, refunds it, and resends its notification', async () => {
    await session.setEndpoints([{ url: ui.receiver.url }]);
    await ui.open(session, 'overview');
    await ui.waitUntilLoaded();
    await runCommand('make pay', 'Make a payment');
    await ui.waitForRecord('ORDER-1001');
    await runCommand('settle paid', 'Mark as paid · ORDER-1001');
    await ui.waitForState('Paid');
    await runCommand('refund', 'Refund · ORDER-1001');
    await ui.waitForState('Refunded');
    await runCommand('payment.refunded order-1001', /^Open delivery payment.refunded ORDER-1001/);
    await ui.waitForRecord('payment.refunded');
    const [newest] = (await session.deliveries()).items;
    await runCommand('resend', `Send again · ${newest?.type}`);
    await ui.waitForToast('Sent again.');
    expect((await session.deliveries()).items[0]).toMatchObject({ id: newest?.id, replays: 1 });
  });

  it('goes from a row into its detail with Enter, and to the first action with Tab', async () => {
    await pay(session, { payerReference: 'ORDER-1' });
    await pay(session, { payerReference: 'ORDER-2' });
    await ui.open(session, 'payments');
    await ui.waitUntilLoaded();
    await press('j', 'j', 'Enter');
    await ui.waitForRecord('ORDER-1');
    await press('Tab');
    expect(await focusedText()).toBe('Mark as paid');
    await press('Enter');
    await ui.waitForState('Paid');
    await press('Escape');
    await ui.page.locator('.split:not(.open)').waitFor();
    await press('Enter');
    await ui.waitForRecord('ORDER-1');
    await press('Tab');
    expect(await ui.page.evaluate('document.activeElement.closest(".detail") !== null')).toBe(true);
  });

  it('follows a link from a payment to its notification, and goes to the first action there with Tab', async () => {
    await session.setEndpoints([{ url: ui.receiver.url }]);
    await pay(session, { payerReference: 'ORDER-1' });
    await session.settle('ORDER-1', 'Paid');
    await ui.open(session, 'payments/payment-1');
    await ui.page.getByRole('link', { name: 'delivery-1' }).press('Enter');
    await ui.waitForRecord('payment.paid');
    await ui.waitUntilLoaded();
    await ui.page.locator('.detail:focus').waitFor();
    await press('Tab');
    expect(await focusedText()).toBe('Send again');
  });

  it('opens the menu of a command that has choices', async () => {
    await pay(session, { payerReference: 'ORDER-1' });
    await ui.open(session, 'payments/payment-1');
    await ui.waitForRecord('ORDER-1');
    await ui.waitUntilLoaded();
    await runCommand('another code', 'Fail with another code · ORDER-1');
    await ui.page.getByRole('menuitem').first().waitFor();
    expect(await focusedText()).toContain('05');
    await press('Enter');
    await ui.waitForState('Failed');
  });

  it('finds a record by its reference from another screen', async () => {
    await pay(session, { payerReference: 'ORDER-1' });
    await pay(session, { payerReference: 'INVOICE-77' });
    await ui.open(session, 'scenarios');
    await ui.waitUntilLoaded();
    await runCommand('invoice-77', 'Open payment INVOICE-77 · Processing');
    await ui.waitForRecord('INVOICE-77');
  });

  it('resets the session, which can be undone', async () => {
    await pay(session, { payerReference: 'ORDER-1' });
    await ui.open(session, 'payments');
    await ui.waitUntilLoaded();
    await runCommand('reset', `Reset session ${session.session}`);
    await ui.waitForToast('was reset');
    expect((await session.payments()).items).toEqual([]);
    await ui.page.getByTestId('toast').getByRole('button', { name: 'Undo' }).press('Enter');
    await ui.waitForToast('has its records');
    expect((await session.payments()).items).toHaveLength(1);
  });
});

describe('Advance to the next job', () => {
  const advance = (name: string) => ui.page.getByRole('button', { name, exact: true });
  const dialog = () => ui.page.getByRole('dialog', { name: 'Advance to 10:15:00?' });

  it('asks before a payment that waits for its payer expires', async () => {
    await pay(session, { payerReference: 'ORDER-1' });
    await ui.open(session, 'payments/payment-1');
    const button = advance('Advance to 10:15:00: payment ORDER-1 expires');
    await button.click();
    await dialog().getByRole('button', { name: 'Keep waiting' }).click();
    await dialog().waitFor({ state: 'detached' });
    expect((await session.payment('payment-1')).state).toBe('Processing');
    await runCommand('advance to', 'Advance to 10:15:00: payment ORDER-1 expires');
    await dialog().getByRole('button', { name: 'Advance', exact: true }).press('Enter');
    await ui.waitForState('Expired');
  });

  it('advances without a question to an outcome that the scenario has planned', async () => {
    await session.useScenario('auto-approve');
    await pay(session, { payerReference: 'ORDER-1' });
    await ui.open(session, 'payments/payment-1');
    await advance('Advance to 10:00:03: payment ORDER-1 is paid').click();
    await ui.waitForState('Paid');
  });

  it('advances without a question to an expiry that the scenario has planned', async () => {
    const rules = [{ settle: { outcome: 'Expired', after: 'PT5M' } }];
    await session.defineScenario({ name: 'expires-early', description: '', rules });
    await session.useScenario('expires-early');
    await pay(session, { payerReference: 'ORDER-1' });
    await ui.open(session, 'payments/payment-1');
    await advance('Advance to 10:05:00: payment ORDER-1 expires').click();
    await ui.waitForState('Expired');
  });

  it('advances without a question to a planned refund of a payment that is paid', async () => {
    const rules = [{ settle: { outcome: 'Paid', after: 'PT3S' }, adjustments: { kind: 'refund', after: 'PT1H' } }];
    await session.defineScenario({ name: 'refunded-later', description: '', rules });
    await session.useScenario('refunded-later');
    await pay(session, { payerReference: 'ORDER-1' });
    await ui.open(session, 'payments/payment-1');
    await advance('Advance to 10:00:03: payment ORDER-1 is paid').click();
    await ui.waitForState('Paid');
    await advance('Advance to 11:00:03: payment ORDER-1 is adjusted').click();
    await ui.waitForState('Refunded');
  });
});
