import type { Browser, Page } from 'playwright-core';
import request from 'supertest';
import { type Sandbox, startSandbox } from '../sandbox.ts';
import { AXE, violationsOn } from './axe.ts';
import { openBrowser, waitForCount } from './browser.ts';

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 900 };

let sandbox: Sandbox;
let browser: Browser;
let page: Page;
/** Errors and policy violations of the page, and its requests to other servers. */
const problems: string[] = [];

beforeAll(async () => {
  sandbox = await startSandbox({ now: Date.parse('2026-03-01T10:00:00.000Z') });
  browser = await openBrowser();
  page = await browser.newPage({ viewport: DESKTOP });
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => /Content Security Policy/.test(message.text()) && problems.push(message.text()));
  page.on(
    'request',
    (sent) => /^(data|blob):/.test(sent.url()) || sent.url().startsWith(sandbox.url) || problems.push(sent.url()),
  );
});
afterAll(async () => {
  await browser.close();
  await sandbox.close();
});

const operations = () => page.getByRole('navigation', { name: 'Operations' });
const idsIn = (links: ReturnType<typeof operations>) =>
  links.locator('li a').evaluateAll((all) => all.map((link) => link.getAttribute('href')?.slice(1)));

async function visit(session: string, operationId = ''): Promise<void> {
  await page.goto(`${sandbox.sessionUrl(session)}/_sandbox/docs#${operationId}`);
  await page.locator('main h1').waitFor();
}

/** Opens an operation and sends its example; resolves with the status of the answer. */
async function sendExample(operationId: string): Promise<string | null> {
  await page.evaluate(`location.hash = ${JSON.stringify(operationId)}`);
  await page.locator(`[data-operation=${operationId}]`).waitFor();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  return page.getByTestId('answer-status').textContent();
}

async function operationsThatNeedToken(): Promise<string[]> {
  const { body } = await request(sandbox.url).get('/_sandbox/openapi.json');
  const documented: { operationId: string; security: object[] }[] = Object.values<object>(body.paths).flatMap((path) =>
    Object.values(path),
  );
  return documented
    .filter(({ security }) => security.length > 0 && security.every((each) => 'bearer' in each))
    .map(({ operationId }) => operationId);
}

describe('the list of operations', () => {
  beforeAll(() => visit('list'));

  it('starts with the sandbox paths, followed by webhooks and the production paths, and ends with the control API', async () => {
    const groups = operations().locator('details');
    expect(await groups.locator('summary').allTextContents()).toEqual([
      'Merchant API, sandbox paths',
      'Webhooks',
      'Merchant API, production paths',
      'Control API',
    ]);
    expect(await groups.evaluateAll((all) => all.map((each) => each.hasAttribute('open')))).toEqual([
      true,
      false,
      false,
      false,
    ]);
    const { body } = await request(sandbox.url).get('/_sandbox/openapi.json');
    const paths = await page.locator('.first-operations code').allTextContents();
    expect(paths.length).toBeGreaterThan(14);
    expect(paths.every((path) => path.includes('/sandbox/'))).toBe(true);
    const all = Object.values<object>(body.paths).flatMap((path) => Object.values(path));
    expect((await idsIn(operations())).length).toBe(all.length + Object.keys(body.webhooks).length);
  });

  it('links to each operation by its own address, and back to the console and the guide', async () => {
    await page.getByRole('link', { name: 'POST Initiate a split payment' }).first().click();
    await page.getByRole('heading', { name: 'Initiate a split payment' }).waitFor();
    await page.waitForURL(/docs#initiateBulkPaymentSandbox$/);
    await page.goBack();
    await page.getByRole('heading', { name: 'API reference' }).waitFor();
    await page.getByRole('link', { name: 'Guide', exact: true }).click();
    await page.getByRole('heading', { name: 'Documentation' }).waitFor();
    await page.getByRole('link', { name: 'Console', exact: true }).click();
    await page.getByRole('navigation', { name: 'Screens' }).waitFor();
    expect(page.url()).toContain('/s/list/_sandbox/console/');
  });
});

describe('an operation', () => {
  it('can be tried in the session of the address, and fetches a token if it needs one', async () => {
    await visit('tries');
    expect(await sendExample('requestPaymentTokenAndPay')).toBe('200');
    expect(await page.getByLabel('Token').inputValue()).toMatch(/^ey/);
    expect(await sendExample('settlePayment')).toBe('200');
    expect(await sandbox.session('tries').payment('ORDER-1001')).toMatchObject({ state: 'Paid' });
  });

  it('shows whether it needs a token', async () => {
    const ids = await operationsThatNeedToken();
    expect(ids).toContain('getPaymentStatusSandbox');
    for (const id of [...ids, 'initiatePayment', 'listPayments']) {
      await visit('tokens', id);
      await page.locator(`[data-operation=${id}]`).waitFor();
      expect([id, await page.getByText('Requires a token:').count()]).toEqual([id, ids.includes(id) ? 1 : 0]);
    }
  });

  it('with a file shows the refusal if the file is missing, and makes a link with a picture', async () => {
    await visit('forms');
    expect(await sendExample('saveFastCheckout')).toBe('400');
    expect(await page.getByRole('region', { name: 'Response' }).textContent()).toContain(
      '$.paymentLinkImage: expected',
    );
    await page.getByLabel('paymentLinkImage').setInputFiles('test/interface/exchanges/picture.png');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByTestId('answer-status').filter({ hasText: '200' }).waitFor();
    const { items } = await sandbox.session('forms').list('links');
    expect(items).toMatchObject([{ reference: 'LINK-1', imageId: 'image-1' }]);
  });

  it('shows its fields, examples and refusals', async () => {
    await visit('shows', 'initiatePayment');
    await page.getByRole('combobox', { name: 'Example' }).selectOption({ label: 'A payment on card network B.' });
    expect(await page.getByLabel('Request body').inputValue()).toContain('<WALLET_CARD_B>');
    const text = await page.locator('main').textContent();
    expect(text).toContain('The merchant is not activated, or not approved.');
    expect(text).toMatch(/merchantApiKey string.*required/);
    expect(text).toContain("The merchant's API key (secret).");
    expect(text).toContain("curl 'http");
  });

  it('that never ends cannot be sent here, and a notification is shown as its receiver gets it', async () => {
    await visit('others', 'streamEvents');
    await page.locator('[data-operation=streamEvents]').waitFor();
    await waitForCount(page.getByRole('button', { name: 'Send', exact: true }), 0);
    await visit('others', 'notifyOfTransaction');
    expect(await page.getByRole('region', { name: 'Response' }).textContent()).toContain('"paymentReference"');
  });
});

describe('the search', () => {
  const search = (words: string) => page.getByLabel('Search operations').fill(words);
  let all = 0;

  beforeAll(async () => {
    await visit('search');
    all = (await idsIn(operations())).length;
  });

  it.each([
    ['by words of the description', 'QR prompt', ['initiatePaymentSandbox', 'initiatePayment']],
    ['by an alias', '/param/paymentIntervalsRequest', ['listPaymentIntervalsSandbox', 'listPaymentIntervals']],
    ['by name', 'runUntilIdle', ['runUntilIdle']],
    ['that are webhooks', 'within 15 seconds', ['notifyOfTransaction']],
  ])('finds operations %s', async (_title, words, expected) => {
    await search(words);
    await operations().locator('li').nth(expected.length).waitFor({ state: 'detached' });
    expect(await idsIn(operations())).toEqual(expected);
    await page.getByLabel('Search operations').press('Enter');
    await page.locator(`[data-operation=${expected[0]}]`).waitFor();
  });

  it.each(['zzz', 'SURCHARGE', '#'])('reports that nothing matches %s', async (words) => {
    await search(words);
    await page
      .getByRole('status')
      .filter({ hasText: `No matches for "${words}".` })
      .waitFor();
    expect(await idsIn(operations())).toEqual([]);
  });

  it('shows everything again once it is empty', async () => {
    await search('');
    await operations()
      .locator('li')
      .nth(all - 1)
      .waitFor({ state: 'attached' });
  });
});

it('the reference is accessible, in light and dark, and fits 390 and 1280 pixels', async () => {
  for (const id of ['', 'initiatePaymentSandbox', 'saveFastCheckoutSandbox', 'listPayments', 'notifyOfTransaction']) {
    await page.goto('about:blank');
    await visit('fits', id);
    await page.evaluate(AXE);
    for (const viewport of [PHONE, DESKTOP]) {
      await page.setViewportSize(viewport);
      expect([id, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([id, viewport.width]);
      expect([id, await violationsOn(page)]).toEqual([id, []]);
    }
  }
});

it('the reference and the guide have the colours of the theme chosen in the console', async () => {
  const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(`${sandbox.url}/_sandbox/console/`);
  await page.getByRole('button', { name: 'Theme' }).click();
  await page.getByRole('menuitem', { name: 'Dark' }).click();
  const dark = await background();
  await visit('default');
  expect(await background()).toBe(dark);
  await page.goto(`${sandbox.url}/_sandbox/guide/`);
  expect(await background()).toBe(dark);
});

it('the reference, the guide and the OpenAPI document require the control token', async () => {
  const guarded = await startSandbox({ host: '0.0.0.0', controlToken: 'a-control-token' });
  for (const path of ['/docs', '/guide/', '/llms.txt', '/openapi.json']) {
    const withoutToken = await request(guarded.url).get(`/_sandbox${path}`);
    const withToken = await request(guarded.url)
      .get(`/_sandbox${path}`)
      .redirects(1)
      .set('X-Sandbox-Control-Token', 'a-control-token');
    expect([path, withoutToken.status, withToken.status]).toEqual([path, 401, 200]);
  }
  await guarded.close();
});

it('the reference loads nothing from elsewhere, and nothing that its policy forbids', () => {
  expect(problems).toEqual([]);
});
