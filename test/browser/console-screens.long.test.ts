import type { SandboxClient } from '../../src/client/client.ts';
import { pay } from '../server/payer-pages/visits.ts';
import { AXE, violationsOn } from './axe.ts';
import { ConsolePage, DESKTOP, PHONE } from './console-page.ts';
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

describe('a screen', () => {
  const screens = [
    ...[
      'payments',
      'payments/payment-1',
      'payments/payment-2',
      'payouts/payout-1',
      'links/1',
      'recurring/1',
      'tokens/1',
      'codes',
      'codes/shop-code-1',
      'settlements/settlement-1',
    ],
    ...['requests', 'requests/request-3', 'deliveries/delivery-1', 'deliveries/endpoints', 'events', 'events/1'],
    ...['scenarios', 'scenarios/insufficient-funds', 'sessions', 'sessions/default', 'try', 'try/getPaymentStatus'],
    'examination',
    'integration',
  ];

  let problems: unknown[];
  beforeEach(() => {
    problems = [];
  });
  afterEach(() => expect(problems).toEqual([]));

  /** Records the accessibility violations of the open screen, and whether it is wider than the window. */
  const checkAccessibility = async (name: string, { width }: typeof PHONE) => {
    const violations = await violationsOn(ui.page);
    const shown = await ui.page.evaluate('document.documentElement.scrollWidth');
    problems.push(...violations.map((each) => [name, each]), ...(shown === width ? [] : [`${name} is ${shown} wide`]));
  };

  it.each([[DESKTOP], [PHONE]])('is accessible at %o, in light and dark', async (viewport) => {
    const { page } = ui;
    await ui.open(session, 'payments', { viewport });
    await page.evaluate(AXE);
    for (const screen of screens) {
      await ui.navigate(session, screen);
      await page.locator('main :is(h1, h2):visible').first().waitFor();
      await page.locator('main:not(:has([aria-busy=true]))').waitFor();
      await checkAccessibility(screen, viewport);
    }
    await page.getByRole('button', { name: 'More about the clock' }).click();
    await checkAccessibility("the clock's menu", viewport);
    await page.getByRole('menuitem', { name: 'Move to a time…' }).click();
    await checkAccessibility('the dialog for a time', viewport);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await checkAccessibility('the palette', viewport);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Scenario/ }).click();
    await checkAccessibility('the menu of scenarios', viewport);
  });

  it.each([[DESKTOP], [PHONE]])('is accessible at %o while its list is empty', async (viewport) => {
    const empty = await ui.newSession();
    await ui.open(empty, 'payments', { viewport });
    await ui.page.evaluate(AXE);
    for (const screen of ['payments', 'payouts', 'links', 'recurring', 'tokens', 'requests', 'deliveries']) {
      await ui.navigate(empty, screen);
      await ui.page.locator('.list :is(.empty-title, .first-title)').waitFor();
      await checkAccessibility(screen, viewport);
    }
  });
});

describe('a long list', () => {
  const call = ({ baseUrl }: SandboxClient, path: string) => fetch(`${baseUrl}/${path}`);
  const waitForRowCount = (count: string) =>
    ui.page
      .getByTestId('count')
      .filter({ hasText: new RegExp(`^(newest )?${count}( shown)?$`) })
      .waitFor();
  const showOlderRows = () => ui.page.getByRole('button', { name: 'Show older rows' }).click();
  const newestRow = () => ui.page.locator('a.row').first().textContent();

  it('shows older rows, too, if they are requested during an update', async () => {
    const newSession = await ui.newSession();
    await Promise.all(Array.from({ length: 60 }, () => pay(newSession, {})));
    await ui.open(newSession, 'payments');
    await waitForRowCount('50');
    let sendAnswer = () => {};
    const requested = new Promise<void>((resolve) => {
      void ui.page.route(/\/_sandbox\/payments\?limit=50$/, async (route) => {
        resolve();
        await new Promise<void>((resume) => {
          sendAnswer = resume;
        });
        await route.continue();
      });
    });
    await newSession.settle('payment-1', 'Paid');
    await requested;
    await showOlderRows();
    sendAnswer();
    await ui.page.unrouteAll({ behavior: 'ignoreErrors' });
    await waitForRowCount('60 rows');
  });

  it('stays paused when older rows are shown', async () => {
    const newSession = await ui.newSession();
    await Promise.all(Array.from({ length: 60 }, () => pay(newSession, {})));
    await ui.open(newSession, 'payments');
    await waitForRowCount('50');
    await ui.page.getByRole('button', { name: 'Live' }).click();
    await pay(newSession, {});
    await ui.page.getByRole('button', { name: 'Show 1 new row' }).waitFor();
    await showOlderRows();
    await waitForRowCount('60 rows');
    expect(await ui.page.getByRole('button', { name: 'Paused' }).isVisible()).toBe(true);
    await ui.page.getByRole('button', { name: 'Show 1 new row' }).click();
    await waitForRowCount('61 rows');
  });

  it('restarts instead of growing past 500 rows, and reports that newer rows are hidden', async () => {
    const newSession = await ui.newSession();
    await Promise.all(Array.from({ length: 550 }, () => call(newSession, 'first')));
    await ui.open(newSession, 'requests');
    for (const count of [50, 100, 150, 200, 250, 300, 350, 400]) {
      await waitForRowCount(String(count));
      await showOlderRows();
    }
    expect(await ui.page.getByTestId('count').textContent()).toMatch(/^newest /);
    await waitForRowCount('450');
    for (const count of ['475', '500']) {
      await Promise.all(Array.from({ length: 25 }, () => call(newSession, 'second')));
      await waitForRowCount(count);
    }
    await call(newSession, 'third');
    await waitForRowCount('50');
    expect(await newestRow()).toContain('GET /third');
    for (const count of ['100', '150', '200', '250', '300', '350', '400', '450', 'newest 500', '500 shown']) {
      await showOlderRows();
      await waitForRowCount(String(count));
    }
    await call(newSession, 'fourth');
    await ui.page.getByRole('button', { name: 'Newer rows are not shown. Show the newest' }).click();
    await waitForRowCount('50');
    expect(await newestRow()).toContain('GET /fourth');
  });
});
