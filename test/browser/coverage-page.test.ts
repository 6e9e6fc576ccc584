import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { pageOfCoverage } from '../../src/cli/commands/coverage-page.tsx';
import { loadFixtures } from '../../src/config/fixtures.ts';
import { coverageOf } from '../../src/coverage/cells.ts';
import { CoverageRecorder } from '../../src/coverage/recorder.ts';
import { temporaryFolders } from '../temporary-folder.ts';
import { AXE, violationsOn } from './axe.ts';
import { openBrowser } from './browser.ts';
import { DESKTOP, PHONE } from './console-page.ts';

const address = join(temporaryFolders()(), 'coverage.html');
const DEGREES = ['seen', 'delivered', 'produced', 'never', 'never'] as const;

let browser: Browser;
let page: Page;
const asked: string[] = [];

beforeAll(async () => {
  const fixtures = await loadFixtures();
  const { cells } = new CoverageRecorder(
    () => fixtures,
    () => {},
  ).coverage;
  const spread = cells.map((cell, index) => ({ ...cell, degree: DEGREES[index % DEGREES.length] ?? 'never' }));
  const isAllSeen = (name: string) => name === 'pages';
  const coverage = spread.map((cell) => (isAllSeen(cell.class) ? { ...cell, degree: 'seen' as const } : cell));
  writeFileSync(address, pageOfCoverage(coverageOf(coverage)));
  browser = await openBrowser();
  page = await browser.newPage({ reducedMotion: 'reduce' });
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(pathToFileURL(address).href);
});
afterAll(() => browser.close());

it.each([PHONE, DESKTOP])('is fit for everyone at %o, in light and dark, with every degree', async (size) => {
  await page.setViewportSize(size);
  await page.evaluate(`document.querySelectorAll('details').forEach((each) => { each.open = true; })`);
  await page.evaluate(AXE);
  expect(await violationsOn(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(size.width);
  const text = (await page.textContent('main')) ?? '';
  expect(text).toContain('Coverage is not correctness');
  expect(text).toContain('it happened, and your code was not told');
  expect(text).toContain('your receiver was told, and refused it');
  expect(text).toContain('All were seen.');
});

it('asks nobody for anything', () => {
  expect(new Set(asked)).toEqual(new Set([pathToFileURL(address).href]));
});
