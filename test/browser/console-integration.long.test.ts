import { pay } from '../server/payer-pages/visits.ts';
import { AXE, violationsOn } from './axe.ts';
import { ConsolePage, DESKTOP, PHONE } from './console-page.ts';

let ui: ConsolePage;

beforeAll(async () => {
  ui = await ConsolePage.start();
});
afterEach(() => ui.finishTest());
afterAll(() => ui.close());

const waitForText = (testId: string, text: string | RegExp) =>
  ui.page.getByTestId(testId).filter({ hasText: text }).waitFor();

it('the integration page starts with its conclusion, and updates with each call', async () => {
  const session = await ui.newSession();
  await ui.open(session, 'payments');
  await ui.page.getByRole('link', { name: 'My integration' }).focus();
  await ui.page.keyboard.press('Enter');
  await waitForText(
    'integration-conclusion',
    'Your code has made no calls in this session since the sandbox was started.',
  );
  const words = (await ui.page.locator('main').textContent()) ?? '';
  expect(words.indexOf('Your code has made no calls')).toBeLessThan(words.indexOf('Not a certification'));
  expect(words).toContain('Coverage is not correctness');
  await pay(session, { payerReference: 'ORDER-1' });
  await waitForText('integration-conclusion', 'No findings so far in this session.');
  await fetch(`${session.baseUrl}/init/authenticate/merchant/wallet`, { method: 'POST' });
  const failed = 'did not succeed, 1 of them because of mistakes in the call.';
  await waitForText('integration-conclusion', `No findings so far in this session, but 1 of 2 calls ${failed}`);
  await ui.page.getByRole('link', { name: 'View these calls' }).click();
  await ui.page.waitForURL(/\/traffic\?q=refused%3Atrue$/);
  await ui.page.goBack();
  await pay(session, { payerReference: 'ORDER-1' });
  await waitForText('integration-conclusion', `1 finding, and 1 of 3 calls ${failed}`);
  await waitForText('integration-checked', '3 Initiate payment (1 without success)');
  await waitForText('integration-checked', '2 Processing');
  await session.reset();
  await waitForText(
    'integration-conclusion',
    'Your code has made no calls in this session since the sandbox was started.',
  );
});

it('the integration page shows why a finding matters, where it was seen, its fix and how to suppress it', async () => {
  const session = await ui.newSession();
  await pay(session, { payerReference: 'ORDER-1' });
  await pay(session, { payerReference: 'ORDER-1' });
  await ui.open(session, 'integration');
  await waitForText('finding', 'Shared reference');
  const finding = ui.page.getByTestId('finding');
  const words = await finding.textContent();
  expect(words).toContain('A status query by that reference is ambiguous.');
  expect(words).toContain('received "ORDER-1"');
  expect(words).toContain('Give each payment attempt its own reference');
  await finding.getByText('How to suppress it').click();
  await finding.getByRole('button', { name: 'Copy command' }).click();
  expect(await ui.readClipboard()).toBe('npx merchant-sandbox start --ignore-findings SBX-W07');
  await finding.getByRole('link').first().click();
  await ui.page.getByTestId('record').waitFor();
  expect(ui.page.url()).toMatch(/\/traffic\/request-\d+$/);
});

it('the integration page lists unseen cells in folded groups, each cell with a line of code that tests it', async () => {
  const session = await ui.newSession();
  await ui.open(session, 'integration');
  await waitForText('integration-unseen', 'Not used so far: outcomes, faults, notifications, pages.');
  await pay(session, { payerReference: 'ORDER-1' });
  await session.settle('ORDER-1', 'Failed');
  const gap = ui.page.getByTestId('gap').filter({ hasText: 'QR wallet' }).first();
  await gap.waitFor();
  expect(await ui.page.getByTestId('integration-unseen').textContent()).not.toContain('Card');
  expect(await gap.getAttribute('open')).toBe(null);
  await gap.locator('summary').focus();
  await ui.page.keyboard.press('Enter');
  await gap.getByText("await session.settle(reference, 'Paid', '00');").waitFor();
});

it.each([[DESKTOP], [PHONE]])('the integration page is accessible at %o, in light and dark', async (viewport) => {
  const session = await ui.newSession();
  await pay(session, { payerReference: 'ORDER-1' });
  await pay(session, { payerReference: 'ORDER-1' });
  await ui.open(session, 'integration', { viewport });
  await ui.page.evaluate(AXE);
  await waitForText('integration-conclusion', '1 finding');
  await ui.page.evaluate("for (const each of document.querySelectorAll('main details')) each.open = true");
  expect(await violationsOn(ui.page)).toEqual([]);
  expect(await ui.page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
});
