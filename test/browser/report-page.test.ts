import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { pageOfReport } from '../../src/cli/commands/report-page.tsx';
import { reportOf } from '../../src/cli/commands/session-report.ts';
import { payOn } from '../coverage/merchant.ts';
import { startSandbox } from '../sandbox.ts';
import { temporaryFolders } from '../temporary-folder.ts';
import { AXE, violationsOn } from './axe.ts';
import { openBrowser } from './browser.ts';
import { DESKTOP, PHONE } from './console-page.ts';

const address = join(temporaryFolders()(), 'report.html');

let browser: Browser;
let page: Page;
const asked: string[] = [];

beforeAll(async () => {
  const sandbox = await startSandbox();
  await payOn(sandbox.client);
  await payOn(sandbox.client);
  writeFileSync(address, pageOfReport(await reportOf(sandbox.client)));
  await sandbox.close();
  browser = await openBrowser();
  page = await browser.newPage({ reducedMotion: 'reduce' });
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(pathToFileURL(address).href);
});
afterAll(() => browser.close());

it.each([PHONE, DESKTOP])('is fit for everyone at %o, in light and dark', async (size) => {
  await page.setViewportSize(size);
  await page.evaluate(`document.querySelectorAll('details').forEach((each) => { each.open = true; })`);
  await page.evaluate(AXE);
  expect(await violationsOn(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(size.width);
});

it('says in words what is wrong, what was checked and what was never seen', async () => {
  const text = (await page.textContent('main')) ?? '';
  expect(text).toContain('Not a certificate of any provider.');
  expect(text).toContain('Coverage is not correctness');
  expect(text).toContain('SBX-W07: Two payments of a merchant have the same payerReference.');
  expect(text).toContain('2 initiatePayment');
  expect(text).toContain('none of 11 seen');
});

it('asks nobody for anything', () => {
  expect(new Set(asked)).toEqual(new Set([pathToFileURL(address).href]));
});
