import type { SandboxClient } from '../../src/client/client.ts';
import { pay } from '../server/payer-pages/visits.ts';
import { ConsolePage } from './console-page.ts';

let ui: ConsolePage;

beforeAll(async () => {
  ui = await ConsolePage.start();
});
afterEach(() => ui.finishTest());
afterAll(() => ui.close());

const forkButtonAfter = (step: string) =>
  ui.page.getByRole('button', { name: `Fork from here, after ${step}`, exact: true });

/** Opens a payment that was paid and partly refunded, after its notifications were sent. */
async function openPaidPayment(): Promise<SandboxClient> {
  const session = await ui.newSession();
  await session.setEndpoints([{ url: ui.receiver.url }]);
  await pay(session, { payerReference: 'ORDER-1' });
  await session.settle('ORDER-1', 'Paid');
  await session.runUntilIdle();
  await session.call('POST', '/payments/ORDER-1/adjustments', { kind: 'refund', amount: '4.00' });
  await session.runUntilIdle();
  await ui.open(session, 'payments/payment-1');
  await ui.waitForState('Paid');
  return session;
}

describe('the timeline', () => {
  it('can be forked at any of its lines, into a session that continues from there', async () => {
    const session = await openPaidPayment();
    const lines = ui.page.locator('.timeline > li');
    await lines.filter({ hasText: 'payment.refunded' }).waitFor();
    const buttons = lines.getByRole('button');
    expect(await buttons.count()).toBe(await lines.count());
    expect(await forkButtonAfter('request-1').textContent()).toBe('Fork from here');
    await ui.page.getByText('Fork from here opens a copy').waitFor();
    await forkButtonAfter('request-1').click();
    await ui.page
      .getByTestId('lineage')
      .filter({ hasText: `${session.session} after request-1` })
      .waitFor();
    await ui.waitForState('Processing');
    expect(new URL(ui.page.url()).pathname).toBe('/s/what-if-1/_sandbox/console/payments/payment-1');
    await ui.page.getByTestId('settle-Failed').click();
    await ui.waitForState('Failed');
    expect((await session.payment('payment-1')).state).toBe('Paid');
  });

  it('does not explain forks if none of its lines can be forked', async () => {
    const session = await openPaidPayment();
    await ui.navigateAndWait(session, 'settlements/settlement-1');
    await ui.page.getByTestId('timeline').waitFor();
    expect(await ui.page.getByText('Fork from here').count()).toBe(0);
  });

  it('can be forked after a notification, without the steps that followed it', async () => {
    await openPaidPayment();
    const notified = ui.page.locator('.timeline > li').filter({ hasText: 'Notification payment.paid' });
    await notified.getByRole('button').click();
    await ui.page.getByTestId('lineage').waitFor();
    await ui.waitForState('Paid');
    await ui.page.locator('.timeline > li').filter({ hasText: 'payment.paid' }).first().waitFor();
    expect(await ui.page.getByTestId('timeline').textContent()).not.toContain('efunded');
  });
});

describe('two sessions', () => {
  const waitForVerdict = (text: string) => ui.page.getByTestId('verdict').filter({ hasText: text }).waitFor();
  const compareLink = (other: string) => ui.page.getByRole('link', { name: `with ${other}` });

  it('are shown side by side from the fork on, with the first step at which they differ', async () => {
    const session = await ui.newSession();
    const { session: name } = session;
    await pay(session, { payerReference: 'ORDER-1' });
    await ui.sandbox.client.fork(name, { at: 'request-1', as: `${name}-fork` });
    const fork = ui.sandbox.session(`${name}-fork`);
    await ui.open(session, 'sessions');
    await compareLink(fork.session).click();
    await waitForVerdict('They are identical: 0 steps.');
    await pay(session, { payerReference: 'ORDER-2' });
    await ui.page.getByRole('button', { name: 'Compare again' }).click();
    await waitForVerdict(`${fork.session} is identical up to its end; ${name} continues with request-2.`);
    await pay(fork, { payerReference: 'ORDER-3' });
    await ui.page.getByRole('button', { name: 'Compare again' }).click();
    await waitForVerdict('They differ from request-2, in its call body.');
    const firstDifference = ui.page.locator('tr.parting');
    expect(await firstDifference.locator('td').allTextContents()).toEqual([
      expect.stringContaining('request-2'),
      expect.stringContaining('request-2'),
    ]);
    expect(await ui.page.getByLabel(fork.session, { exact: true }).textContent()).toContain('ORDER-3');
    await firstDifference.getByRole('link', { name: 'request-2' }).last().click();
    await ui.page.waitForURL(`**/s/${fork.session}/_sandbox/console/traffic/request-2`);
  });

  it('cannot be compared if one does not exist, and the page reports that', async () => {
    const session = await ui.newSession();
    await ui.open(session, 'sessions/nowhere');
    await ui.page.getByText('These sessions cannot be compared').waitFor();
  });
});
