import type { SandboxClient } from '../../src/client/client.ts';
import { pay } from '../server/payer-pages/visits.ts';
import { waitForCount } from './browser.ts';
import { ConsolePage } from './console-page.ts';
import { createRecords } from './records.ts';

let ui: ConsolePage;
let session: SandboxClient;

beforeAll(async () => {
  ui = await ConsolePage.start();
  session = await ui.newSession();
  await createRecords(session, ui.receiver.url);
});
afterEach(() => ui.finishTest());
afterAll(() => ui.close());

/** Resolves after two frames, when all effects of a change are shown. */
const TWO_FRAMES =
  'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))))';

const pageUrl = () => new URL(ui.page.url());
const row = (text: string) => ui.page.locator('.list a.row').filter({ hasText: text }).first();

describe('a list', () => {
  it('of notifications shows the order and its amount, and names the only endpoint once', async () => {
    await ui.open(session, 'deliveries');
    await row('delivered 200').waitFor();
    const text = (await row('Notification payment.failed').textContent()) ?? '';
    expect(text).toMatch(/^Notification payment\.failed1,249\.90 USDDelivery · Delivered 200 · ORDER-1/);
    expect(text).not.toContain('payment-1');
    const list = ui.page.getByRole('region', { name: 'Traffic' });
    await list.getByText(`deliveries of notifications to ${ui.receiver.url}, and events`).waitFor();
    expect((await list.textContent())?.split(ui.receiver.url)).toHaveLength(2);
  });

  it('of notifications to several endpoints shows the endpoint of each', async () => {
    const ownSession = await ui.newSession();
    await ownSession.setEndpoints([{ url: ui.receiver.url }, { url: `${ui.receiver.url}/2` }]);
    await pay(ownSession, { payerReference: 'ORDER-1' });
    await ownSession.settle('ORDER-1', 'Paid');
    await ui.open(ownSession, 'traffic');
    await ui.page.getByText('notifications to 2 endpoints').waitFor();
    await row(`ORDER-1 · ${ui.receiver.url}/2`).waitFor();
  });

  it('of links has a link to the call that creates a payment link', async () => {
    await ui.open(session, 'links');
    await ui.page.getByRole('link', { name: 'New link' }).click();
    await ui.page.getByRole('heading', { name: 'Create or update a payment link' }).waitFor();
  });

  it('of payments shows the words of a failure beside its code', async () => {
    await ui.open(session, 'payments');
    await row('Failed: 05 Do not honour · QR wallet').waitFor();
  });

  it('has the open record in view', async () => {
    const ownSession = await ui.newSession();
    for (let number = 1; number <= 30; number += 1) {
      await pay(ownSession, {});
    }
    await ui.open(ownSession, 'payments/payment-1');
    const open = ui.page.locator('a.row[aria-current=true]');
    await open.waitFor();
    const [box, height] = [await open.boundingBox(), await ui.page.evaluate<number>('innerHeight')];
    expect((box?.y ?? height) + (box?.height ?? 0)).toBeLessThan(height + 1);
  });

  it('of the traffic shows calls, notifications and events as one log, newest first, each kind with its icon', async () => {
    await ui.open(session, 'traffic');
    const log = ui.page.getByRole('log', { name: 'Traffic' });
    await log.locator('a.row').first().waitFor();
    expect(await row('Event · ORDER-1').textContent()).toMatch(/1,249\.90 USD.*ORDER-1/);
    const icon = (text: string) => row(text).locator('path').getAttribute('d');
    const kinds = ['Request · ', 'Notification ', 'Event · '];
    expect(new Set(await Promise.all(kinds.map(icon))).size).toBe(3);
    const times = (await log
      .locator('time')
      .evaluateAll((all) => all.map((each) => (each as unknown as { dateTime: string }).dateTime))) as string[];
    expect(times).toEqual([...times].sort().reverse());
  });

  it.each([
    ['Requests', 'kind:request', 'Request'],
    ['Deliveries', 'kind:delivery', 'Notification'],
    ['Events', 'kind:event', 'Event'],
  ])('of the traffic shows only %s after a click on that filter', async (name, filter, kind) => {
    await ui.open(session, 'traffic');
    await row('Event · ').waitFor();
    await ui.page.getByRole('button', { name, exact: true }).click();
    await ui.page.waitForURL((url) => url.searchParams.get('q') === filter);
    await ui.page.locator('.list a.row').filter({ hasNotText: kind }).first().waitFor({ state: 'detached' });
    await row(kind).waitFor();
  });

  it('of tokens shows the name of the merchant, and has a button that filters by it', async () => {
    await ui.open(session, 'tokens');
    await row('Corner Shop').waitFor();
    expect(await row('Corner Shop').textContent()).toContain('M-1000');
    await ui.page.getByRole('button', { name: 'Corner Shop', exact: true }).click();
    await ui.page.getByTestId('count').filter({ hasText: '1 row' }).waitFor();
  });

  it('of tokens explains them, and counts them by merchant without state icons', async () => {
    await ui.open(session, 'tokens');
    await ui.page.getByText('A token is a stored payment method of a payer').waitFor();
    const counted = ui.page.getByRole('link', { name: 'Corner Shop 1' });
    await counted.waitFor();
    await waitForCount(counted.locator('svg'), 0);
  });
});

it.each([
  ['requests', 'traffic', 'kind:request'],
  ['requests?q=refused:true', 'traffic', 'kind:request refused:true'],
  ['deliveries', 'traffic', 'kind:delivery'],
  ['events', 'traffic', 'kind:event'],
  ['requests/request-1', 'traffic/request-1', null],
  ['deliveries/delivery-1', 'traffic/delivery-1', null],
  ['deliveries/endpoints', 'endpoints', null],
  ['events/1', 'traffic/1', null],
])('the earlier address %s redirects to %s', async (formerPath, path, query) => {
  await ui.open(session, formerPath);
  await ui.page.waitForURL((url) => url.pathname.endsWith(`/console/${path}`));
  await ui.waitUntilLoaded();
  expect(pageUrl().searchParams.get('q')).toBe(query);
  await waitForCount(ui.page.locator('.empty-title'), 0);
});

it.each([
  ['money', 'settlements'],
  ['my-integration', 'integration'],
])('the address of the group %s redirects to the screen %s', async (group, page) => {
  await ui.open(session, group);
  await ui.page.waitForURL((url) => url.pathname.endsWith(`/console/${page}`));
  await ui.waitUntilLoaded();
  await waitForCount(ui.page.locator('.empty-title', { hasText: 'Page not found' }), 0);
});

describe('the search', () => {
  const search = () => ui.page.getByLabel('Search', { exact: true });
  const waitForQuery = (words: string) => ui.page.waitForURL((url) => url.searchParams.get('q') === words);

  it('keeps a trailing space when it is sent, and follows the address', async () => {
    await ui.open(session, 'traffic');
    await ui.waitUntilLoaded();
    await search().pressSequentially('ORDER ');
    await waitForQuery('ORDER');
    await ui.page.evaluate(TWO_FRAMES);
    expect(await search().inputValue()).toBe('ORDER ');
    await ui.page.goBack();
    await ui.navigateAndWait(session, 'traffic?q=token');
    expect(await search().inputValue()).toBe('token');
  });

  it('does not close a record that was opened before the search was sent', async () => {
    await ui.open(session, 'payments');
    await row('ORDER-1').waitFor();
    await search().fill('ORDER');
    await row('ORDER-1').press('Enter');
    await ui.page.waitForURL(
      ({ pathname, searchParams }) => /\/payment-\d+$/.test(pathname) && searchParams.get('q') === 'ORDER',
    );
  });

  it('is cancelled when its screen is left', async () => {
    await ui.open(session, 'payments');
    await ui.waitUntilLoaded();
    await ui.page.clock.install();
    await search().fill('ORDER');
    await ui.page.getByRole('link', { name: 'Tokens' }).press('Enter');
    await row('Corner Shop').waitFor();
    await ui.page.clock.runFor(10_000);
    expect([pageUrl().pathname.split('/').at(-1), pageUrl().search]).toEqual(['tokens', '']);
    expect(await search().inputValue()).toBe('');
  });
});

describe('the time zone', () => {
  it('is UTC or that of the browser, and the browser remembers the choice', async () => {
    const { page } = ui;
    const otherSession = await ui.newSession();
    await otherSession.freeze('2026-03-01T22:30:00.000Z');
    await createRecords(otherSession, ui.receiver.url);
    const developerTools = await page.context().newCDPSession(page);
    await developerTools.send('Emulation.setTimezoneOverride', { timezoneId: 'Africa/Harare' });
    await ui.open(otherSession, 'payments/payment-1');
    const waitForClock = (text: string) => page.getByTestId('clock-now').filter({ hasText: text }).waitFor();
    await waitForClock('2026-03-01 22:30:00');
    await page.getByRole('button', { name: 'Times in UTC' }).click();
    await page.getByRole('menuitem', { name: /^This browser's time: UTC\+02:00/ }).click();
    await waitForClock('2026-03-02 00:30:00');
    await page.locator('a.row time').first().filter({ hasText: '00:30:00' }).waitFor();
    await page.locator('.section').filter({ hasText: 'Timeline' }).getByText('UTC+02:00').waitFor();
    await page.reload();
    await waitForClock('2026-03-02 00:30:00');
    await page.getByRole('button', { name: 'More about the clock' }).click();
    await page.getByRole('menuitem', { name: 'Move to a time…' }).click();
    await page.getByLabel('Time, in UTC+02:00').fill('2026-03-02T01:15:00');
    await page.getByRole('button', { name: 'Move the clock' }).click();
    await waitForClock('2026-03-02 01:15:00');
    expect((await otherSession.clock()).now).toBe('2026-03-01T23:15:00.000Z');
    await page.getByRole('button', { name: 'Times in UTC+02:00' }).click();
    await page.getByRole('menuitem', { name: /^UTC/ }).click();
    await waitForClock('2026-03-01 23:15:00');
  });
});

it('a click copies an id from the facts of a record', async () => {
  await ui.open(session, 'payments/payment-1');
  await ui.page.getByRole('button', { name: 'Copy payment-1' }).click();
  await ui.waitForToast('Copied.');
  expect(await ui.readClipboard()).toBe('payment-1');
});
