import { FakeExaminer, READY, VERDICTS } from '../server/control-api/fake-examiner.ts';
import { AXE, violationsOn } from './axe.ts';
import { waitForCount } from './browser.ts';
import { ConsolePage, DESKTOP, PHONE } from './console-page.ts';

let ui: ConsolePage;
const examiner = new FakeExaminer();

beforeAll(async () => {
  ui = await ConsolePage.start(examiner);
});
beforeEach(() => {
  examiner.view = READY;
  examiner.started.length = 0;
});
afterEach(() => ui.finishTest());
afterAll(() => ui.close());

const open = (viewport = DESKTOP) => ui.open(ui.sandbox.client, 'examination', { viewport });
const waitForText = (testId: string, text: string) => ui.page.getByTestId(testId).filter({ hasText: text }).waitFor();
const runButton = () => ui.page.getByRole('button', { name: 'Run', exact: true });
const stopButton = () => ui.page.getByRole('button', { name: 'Stop', exact: true });

it('the examination page ends with a disclaimer, and runs and stops by keyboard', async () => {
  await open();
  await waitForText('examination-state', 'Nothing has been examined yet.');
  expect(await ui.page.locator('main').textContent()).toMatch(/Not a certification by any provider\.$/);
  await ui.page.getByLabel('Only').focus();
  await ui.page.keyboard.type('I2, notified-twice mobile-money');
  await ui.page.keyboard.press('Enter');
  await stopButton().waitFor();
  expect(examiner.started).toEqual([{ only: ['I2', 'notified-twice', 'mobile-money'], budget: 'PT1M', seed: 1 }]);
  await stopButton().focus();
  await ui.page.keyboard.press('Enter');
  await waitForText('examination-state', 'Stopped: nothing violated so far');
  await runButton().waitFor();
});

it('an examination is set up with channels, an amount with two decimals and a budget', async () => {
  await open();
  await ui.page.getByLabel('Card network A').uncheck();
  await ui.page.getByLabel('Card network B').uncheck();
  await ui.page.getByLabel('Amount of each order').fill('10');
  await ui.page.getByLabel('Combinations').selectOption('PT5M');
  await runButton().click();
  expect(await ui.page.locator(':invalid').count()).toBeGreaterThan(0);
  expect(examiner.started).toEqual([]);
  await ui.page.getByLabel('Amount of each order').fill('10.00');
  await runButton().click();
  await stopButton().waitFor();
  expect(examiner.started).toEqual([
    { only: ['qr-wallet', 'mobile-money', 'card-switch'], amount: '10.00', budget: 'PT5M', seed: 1 },
  ]);
});

it('the last channel of an examination cannot be deselected', async () => {
  await open();
  for (const channel of ['QR wallet', 'Mobile money', 'Domestic card switch', 'Card network A']) {
    await ui.page.getByLabel(channel).uncheck();
  }
  expect(await ui.page.getByLabel('Card network B').isDisabled()).toBe(true);
});

it('the examination page follows the progress and the verdicts of a run', async () => {
  await open();
  await runButton().click();
  await waitForText('examination-now', '0 of 4: the payer pays, on qr-wallet');
  examiner.view = { ...examiner.view, progress: { now: 'the notification arrives twice', done: 2, total: 4 } };
  examiner.setVerdicts(VERDICTS.slice(0, 2));
  await waitForText('examination-now', '2 of 4: the notification arrives twice');
  await waitForText('examination-state', 'Running, 50 %: 1 violated so far');
  await waitForText('examination-counts', '1 violated');
  const rows = ui.page.getByTestId('examination-matrix').locator('tbody tr');
  await waitForCount(rows, 2);
  examiner.setVerdicts(VERDICTS);
  examiner.view = { ...examiner.view, state: 'done', progress: null, orders: 1, seed: 1, milliseconds: 1500 };
  await waitForText('examination-state', 'Done: 2 violated');
  await waitForCount(rows, 6);
  expect(await ui.page.locator('main').textContent()).toContain('1 order in 1.5 s, seed 1');
  await waitForCount(ui.page.locator('progress'), 0);
});

it('the examination page shows why a violation matters, its fix, its history and how to open it', async () => {
  examiner.setVerdicts(VERDICTS);
  await open();
  const violation = ui.page.getByTestId('violation');
  await violation.waitFor();
  const words = await violation.textContent();
  expect(words).toContain('I2: An order is fulfilled once');
  expect(words).toContain('Notifications are repeated by design');
  expect(words).toContain('under a lock or a unique constraint');
  expect(words).toMatch(/10:00:04\s*Shop\s*fulfilled 2 times/);
  const stepWithoutTime = violation.locator('li', { hasText: 'order of 10.00 USD' }).first();
  expect(await stepWithoutTime.textContent()).toBe('Shoporder of 10.00 USD');
  await violation.getByRole('button', { name: 'Copy command' }).first().click();
  expect(await ui.readClipboard()).toBe('merchant-sandbox open examination/I2-notified-twice-qr-wallet.bundle');
  const other = ui.page.locator('#I2-notified-twice-mobile-money');
  expect(await other.getAttribute('open')).toBe(null);
  await ui.page.getByTestId('examination-matrix').getByRole('link', { name: 'I2' }).nth(1).click();
  expect(await other.getAttribute('open')).toBe('');
});

it('the examination page lists the cases without a clear verdict, with the reason', async () => {
  examiner.setVerdicts(VERDICTS);
  await open();
  await waitForText('examination-undecided', 'Not exercised: the situation did not occur');
  const words = await ui.page.getByTestId('examination-undecided').textContent();
  expect(words).toContain('Status queries return the status of 30 seconds ago, on QR wallet, Mobile money');
  expect(words).toContain('Not applicable: the shop does not sell by this channel');
});

it('the examination page shows why the examination could not continue', async () => {
  examiner.view = { ...READY, state: 'failed', problem: 'the shop ended before it answered' };
  await open();
  await waitForText('examination-state', 'Failed');
  expect(await ui.page.locator('main').textContent()).toContain('the shop ended before it answered');
});

it.each([[DESKTOP], [PHONE]])(
  'the examination page is accessible at %o, in light and dark, before, during and after a run',
  async (viewport) => {
    await open(viewport);
    await ui.page.evaluate(AXE);
    const violations: unknown[] = [];
    const checkAccessibility = async (state: string) => {
      await waitForText('examination-state', state);
      const width = await ui.page.evaluate('document.documentElement.scrollWidth');
      violations.push(
        ...(await violationsOn(ui.page)),
        ...(width === viewport.width ? [] : [`${state}: ${width} wide`]),
      );
    };
    await checkAccessibility('Nothing has been examined yet.');
    examiner.setVerdicts(VERDICTS);
    examiner.view = {
      ...examiner.view,
      state: 'running',
      session: 'examination-1',
      shop: { adapter: 'examine.mjs', command: null, address: 'http://127.0.0.1:4100/s/examination' },
      progress: { now: 'the payer pays, on qr-wallet', done: 1, total: 4 },
    };
    await checkAccessibility('Running, 20 %');
    examiner.view = { ...examiner.view, state: 'done', session: null, progress: null };
    await checkAccessibility('Done: 2 violated');
    expect(violations).toEqual([]);
  },
);
