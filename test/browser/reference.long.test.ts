import type { Browser, Page } from 'playwright-core';
import request from 'supertest';
import { type Sandbox, startSandbox } from '../sandbox.ts';
import { openBrowser } from './browser.ts';

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 900 };

let sandbox: Sandbox;
let browser: Browser;
/** One for all tests, since a new one has nothing of the reference at hand. */
let page: Page;
/** What the page complained of, and what it asked of other servers. */
const complaints: string[] = [];

beforeAll(async () => {
  sandbox = await startSandbox({ now: Date.parse('2026-03-01T10:00:00.000Z') });
  browser = await openBrowser();
  page = await browser.newPage({ viewport: DESKTOP });
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on(
    'request',
    (asked) => /^(data|blob):/.test(asked.url()) || asked.url().startsWith(sandbox.url) || complaints.push(asked.url()),
  );
});
afterAll(async () => {
  await browser.close();
  await sandbox.close();
});

async function visit(session: string): Promise<void> {
  complaints.length = 0;
  await page.goto(`${sandbox.sessionUrl(session)}/_sandbox/docs`);
  await page.locator('.opblock').first().waitFor();
}

/** Opens an operation, which is ready to be tried at once. */
async function open(operationId: string) {
  const operation = page.locator(`[id$="-${operationId}"].opblock`);
  await operation.locator('.opblock-summary-control').click();
  await operation.locator('.execute').waitFor();
  return operation;
}

/** Sends an operation's example; resolves with the status of the answer. */
async function tryIt(operationId: string): Promise<string | null> {
  const operation = await open(operationId);
  await operation.locator('.execute').click();
  return operation.locator('.live-responses-table tbody .response-col_status').textContent();
}

async function operationsThatNeedToken(): Promise<string[]> {
  const { body } = await request(sandbox.url).get('/_sandbox/openapi.json');
  const operations: { operationId: string; security: object[] }[] = Object.values<object>(body.paths).flatMap((path) =>
    Object.values(path),
  );
  return operations
    .filter(({ security }) => security.length > 0 && security.every((each) => Object.keys(each).length > 0))
    .map(({ operationId }) => operationId);
}

describe('the operations', () => {
  beforeAll(() => visit('tries'));

  it('have a lock where they need a token, which says when the page has one', async () => {
    const locked = page.locator('.opblock').filter({ has: page.getByRole('button', { name: 'Needs a token' }) });
    const ids = await locked.evaluateAll((blocks) => blocks.map(({ id }) => id.replace(/.*-/, '')));
    expect(ids).toEqual(await operationsThatNeedToken());
    const lock = page.locator('[id$="-getPaymentStatus"] .authorization__btn');
    expect(await lock.getAttribute('title')).toBe('Needs a token');
    expect(await tryIt('getAccessToken')).toBe('200');
    await page.locator('[id$="-getPaymentStatus"] [title="Needs a token, and sends yours"]').waitFor();
    await lock.click();
    await page.getByRole('heading', { name: 'Available authorizations' }).waitFor();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
  });

  it('are tried in the session of the address, with the token that one of them answered', async () => {
    expect(await tryIt('requestPaymentTokenAndPay')).toBe('200');
    expect(await tryIt('settlePayment')).toBe('200');
    expect(await sandbox.session('tries').payment('ORDER-1001')).toMatchObject({ state: 'Paid' });
    expect(complaints).toEqual([]);
  });

  it('send a form that lacks its file, and show the refusal that names it; with a picture it makes a link', async () => {
    expect(await tryIt('saveFastCheckout')).toBe('400');
    const operation = page.locator('[id$="-saveFastCheckout"]');
    expect(await operation.locator('.live-responses-table').textContent()).toContain('$.paymentLinkImage: expected');
    await operation.locator('input[type=file]').setInputFiles('test/interface/exchanges/picture.png');
    await operation.locator('.execute').click();
    await operation.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor();
    const { items } = await sandbox.session('tries').list('links');
    expect(items).toMatchObject([{ reference: 'LINK-1', imageId: 'image-1' }]);
  });

  it('show their fields, examples and refusals', async () => {
    const operation = await open('initiatePayment');
    expect(await operation.locator('.examples-select-element option').allTextContents()).toContain(
      'A payment on the QR wallet, and how it stands while the payer is waited for.',
    );
    expect(await operation.textContent()).toContain('The merchant is not activated, or not approved.');
    const credentials = page.locator('[id$="-getAccessToken"].opblock');
    await credentials.getByText('Schema', { exact: true }).first().click();
    expect(await credentials.textContent()).toContain("the merchant's API key (secret)");
  });
});

describe('the search', () => {
  const search = (words: string) => page.getByLabel('Search by path, name or words').fill(words);
  let all = 0;

  beforeAll(async () => {
    await visit('search');
    all = await page.locator('.opblock').count();
  });

  it.each([
    ['by words of the description', 'QR prompt', ['initiatePayment', 'initiatePaymentSandbox']],
    ['by an alias', '/param/paymentIntervalsRequest', ['listPaymentIntervals', 'listPaymentIntervalsSandbox']],
    ['by name', 'runUntilIdle', ['runUntilIdle']],
    ['that are webhooks', 'within 15 seconds', ['notifyOfTransaction']],
  ])('finds operations %s', async (_how, words, found) => {
    await search(words);
    await page.locator(`[id$="-${found.at(-1)}"].opblock`).waitFor();
    await page.locator('.opblock').nth(found.length).waitFor({ state: 'detached' });
    const ids = await page.locator('.opblock').evaluateAll((blocks) => blocks.map(({ id }) => id.replace(/.*-/, '')));
    expect(ids).toEqual(found);
    expect(await page.locator('.models').count()).toBe(0);
  });

  it.each(['zzz', 'SURCHARGE', '#'])('says that nothing matches %s', async (words) => {
    await search(words);
    await page
      .getByRole('status')
      .filter({ hasText: `Nothing matches "${words}".` })
      .waitFor();
    expect(await page.locator('.opblock, .webhooks, .models').count()).toBe(0);
  });

  it('shows all again without words', async () => {
    await search('');
    await page.locator('.models').waitFor();
    expect(await page.locator('.opblock').count()).toBe(all);
  });
});

it('fits a screen of 390 and of 1280 pixels, light or dark', async () => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await visit('fits');
  await tryIt('initiatePaymentSandbox');
  const mediaType = page.locator('[id$="-initiatePaymentSandbox"] .response-control-media-type select').first();
  const answer = page.locator('.live-responses-table .highlight-code code').first();
  await open('saveFastCheckout');
  for (const viewport of [PHONE, DESKTOP]) {
    await page.setViewportSize(viewport);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
    // Wide enough to be read.
    expect((await mediaType.boundingBox())?.width).toBeGreaterThan(150);
    // Its last line is not below the buttons.
    await answer.evaluate(({ parentElement: block }) => block?.scrollTo(0, block.scrollHeight));
    const end = await answer.locator('span').last().boundingBox();
    const button = await page.locator('.live-responses-table .download-contents').boundingBox();
    expect((end?.y ?? 0) + (end?.height ?? 0)).toBeLessThanOrEqual(button?.y ?? 0);
  }
  const background = () => page.evaluate('getComputedStyle(document.body.parentElement).backgroundColor');
  expect(await background()).toBe('rgb(28, 32, 34)');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.locator('html:not(.dark-mode)').waitFor();
  expect(await background()).toBe('rgba(0, 0, 0, 0)');
  expect(complaints).toEqual([]);
});

it('asks for the control token like the rest of the control API, page and files alike', async () => {
  const guarded = await startSandbox({ host: '0.0.0.0', controlToken: 'a-control-token' });
  for (const path of ['/docs', '/docs/docs.js', '/docs/swagger-ui.css.gz', '/openapi.json']) {
    const without = await request(guarded.url).get(`/_sandbox${path}`);
    const shown = await request(guarded.url).get(`/_sandbox${path}`).set('X-Sandbox-Control-Token', 'a-control-token');
    expect([path, without.status, shown.status]).toEqual([path, 401, 200]);
  }
  await guarded.close();
});
