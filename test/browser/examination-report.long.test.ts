import type { Browser, Page } from 'playwright-core';
import { VERDICT_WORDS } from '../../src/examine/report/report.ts';
import { REPORTS } from '../../src/examine/report/reports.ts';
import { INVARIANTS } from '../../src/examine/verdicts/invariants.ts';
import { AWKWARD, EVERY_VERDICT } from '../examine/every-verdict.ts';
import { DESKTOP, PHONE } from './console-page.ts';
import { expectAccessible, openFilePage } from './file-page.ts';

let browser: Browser;
let page: Page;
let address: string;
let requests: string[];

beforeAll(async () => {
  ({ browser, page, address, requests } = await openFilePage(REPORTS.html(EVERY_VERDICT)));
});
afterAll(() => browser.close());

it.each([PHONE, DESKTOP])(
  'the examination report is accessible at %o, in light and dark, with every verdict',
  async (size) => {
    await page.goto(address);
    await expectAccessible(page, size);
    const text = (await page.textContent('main')) ?? '';
    for (const words of Object.values(VERDICT_WORDS)) {
      expect(text).toContain(words);
    }
  },
);

it('the examination report makes no requests', () => {
  expect(new Set(requests)).toEqual(new Set([address]));
});

it('the examination report starts with the result, ends with a disclaimer, and shows texts literally', async () => {
  const text = ((await page.textContent('main')) ?? '').trim();
  expect(text).toMatch(/^Examination of a shop\d+ of \d+ invariants are violated, by \d+ causes\./);
  expect(text).toMatch(/Not a certification by any provider\.$/);
  expect(text).toContain(AWKWARD);
});

it('the keyboard leads from a cell of the matrix to the violation', async () => {
  await page.locator('td.violated a[href="#I2"]').first().focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(({ hash }) => hash === '#I2');
  await page.locator('#I2 .timeline li').first().waitFor();
});

it('the timeline has the shop left of the time and the provider right, and one column on a phone', async () => {
  const boxOf = async (part: string) => await page.locator(`#I1 .timeline ${part}`).first().boundingBox();
  await page.setViewportSize(DESKTOP);
  const [shop, clock, provider] = [await boxOf('.shop .what'), await boxOf('time'), await boxOf('.provider .what')];
  expect((shop?.x ?? 0) + (shop?.width ?? 0)).toBeLessThanOrEqual(clock?.x ?? 0);
  expect((clock?.x ?? 0) + (clock?.width ?? 0)).toBeLessThanOrEqual(provider?.x ?? 0);
  await page.setViewportSize(PHONE);
  expect((await boxOf('.shop .what'))?.x).toBe((await boxOf('.provider .what'))?.x);
  expect((await boxOf('.side'))?.width).toBeGreaterThan(20);
});

it('the JUnit report is XML that a parser accepts, with a suite for each invariant', async () => {
  const xml = REPORTS.junit(EVERY_VERDICT);
  const facts = (await page.evaluate(`(() => {
    const tree = new DOMParser().parseFromString(${JSON.stringify(xml)}, 'application/xml');
    const count = (selector) => tree.querySelectorAll(selector).length;
    return {
      broken: count('parsererror'),
      suites: count('testsuites > testsuite'),
      cases: count('testsuite > testcase[name][classname]'),
      failures: count('testcase > failure[message]'),
      errors: count('testcase > error[message]'),
      skipped: count('testcase > skipped[message]'),
      seeds: count('testsuite > properties > property[name=seed][value="7"]'),
      versions: count('testsuite > properties > property[name=version][value="0.1.0"]'),
      failuresTotal: tree.querySelector('testsuites').getAttribute('failures'),
      story: tree.querySelector('failure').textContent,
    };
  })()`)) as Record<string, unknown>;
  const { counts, verdicts } = EVERY_VERDICT;
  expect(facts).toMatchObject({
    broken: 0,
    suites: INVARIANTS.length,
    cases: verdicts.length,
    failures: counts.violated,
    errors: counts.inconclusive,
    skipped: counts['not-exercised'] + counts['not-applicable'],
    seeds: INVARIANTS.length,
    versions: INVARIANTS.length,
    failuresTotal: String(counts.violated),
  });
  expect(facts['story']).toContain(`sends POST /payments for ${AWKWARD.replace('\u0007', '\uFFFD')}`);
});
