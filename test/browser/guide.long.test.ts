import type { Browser, Page } from 'playwright-core';
import { type Sandbox, startSandbox } from '../sandbox.ts';
import { AXE, violationsOn } from './axe.ts';
import { openBrowser } from './browser.ts';

let sandbox: Sandbox;
let browser: Browser;
let page: Page;
/** Requests to other servers, and errors such as violations of the page's policy. */
const problems: string[] = [];

beforeAll(async () => {
  sandbox = await startSandbox();
  browser = await openBrowser();
  page = await browser.newPage();
  page.on('request', (request) => request.url().startsWith(sandbox.url) || problems.push(request.url()));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
});
afterAll(async () => {
  await browser.close();
  await sandbox.close();
});

const visit = (name: string) => page.goto(`${sandbox.sessionUrl('shop')}/_sandbox/guide/${name}`);
const search = (words: string) => page.getByLabel('Search the guide').fill(words);
const results = () => page.locator('search li a');

it('the search of the guide finds sections with all words, best first, and links to them', async () => {
  await visit('');
  await search('clock FORK');
  await results().first().waitFor();
  expect(await page.locator('#contents').isVisible()).toBe(false);
  expect(await results().first().getAttribute('href')).toBe('histories#forks');
  await results().first().click();
  await page.getByRole('heading', { name: 'Forks', exact: true }).waitFor();
  await page.waitForURL(/\/s\/shop\/_sandbox\/guide\/histories#forks$/);
});

it('the search of the guide finds the meaning of an id, and opens the first result on Enter', async () => {
  await visit('webhooks');
  await search('sbx-s13');
  await results().first().waitFor();
  await page.getByLabel('Search the guide').press('Enter');
  await page.getByRole('heading', { name: /^SBX-S13: / }).waitFor();
});

it('the search of the guide reports that nothing matches, and shows the contents again once it is empty', async () => {
  await visit('webhooks');
  await search('zzzzz');
  await page.getByText('No matches for "zzzzz".').waitFor();
  await search('');
  await page.locator('#contents').waitFor();
});

it('the guide copies a block of code, and lists the sections of a page beside the text, or folded above it', async () => {
  const clipboard: string[] = [];
  await page.exposeFunction('keepCopy', (text: string) => clipboard.push(text));
  await page.addInitScript('navigator.clipboard.writeText = (text) => globalThis.keepCopy(text)');
  await page.setViewportSize({ width: 1440, height: 900 });
  await visit('payer-limits');
  expect(await page.getByRole('navigation', { name: 'On this page' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Copy the code' }).click();
  await page.getByRole('status').getByText('Copied').waitFor();
  expect(JSON.parse(clipboard.join('')).limits).toHaveLength(1);

  await visit('webhooks');
  const list = page.getByRole('navigation', { name: 'On this page' });
  const [text, aside] = await Promise.all([page.locator('article').boundingBox(), list.boundingBox()]);
  expect(text?.width).toBeGreaterThan(800);
  expect(aside?.x).toBeGreaterThan((text?.x ?? 0) + (text?.width ?? 0));
  await list.getByRole('link', { name: 'Change a secret' }).click();
  await page.waitForURL(/#change-a-secret$/);

  await page.setViewportSize({ width: 390, height: 844 });
  await visit('webhooks');
  expect(await list.getByRole('link').first().isVisible()).toBe(false);
  await list.getByText('On this page').click();
  await list.getByRole('link', { name: 'Change a secret' }).click();
  await page.waitForURL(/#change-a-secret$/);
});

it.each(['', 'readme', 'webhooks', 'examine', 'ids', 'SBX-S13'])(
  'the guide page "%s" is accessible in light and dark, and fits 390 and 1280 pixels',
  async (name) => {
    await visit(name);
    await page.evaluate(AXE);
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      expect(await violationsOn(page)).toEqual([]);
    }
  },
);

it('the guide loads nothing from elsewhere, and causes no errors in the browser', () => {
  expect(problems).toEqual([]);
});
