import { pageOfReport } from '../../src/cli/commands/report-page.tsx';
import { createReport } from '../../src/cli/commands/session-report.ts';
import { startSandbox } from '../sandbox.ts';
import { payOn } from '../server/findings/coverage/merchant.ts';
import { DESKTOP, PHONE } from './console-page.ts';
import { expectAccessible, type FilePage, openFilePage } from './file-page.ts';

let page: FilePage;

beforeAll(async () => {
  const sandbox = await startSandbox();
  await payOn(sandbox.client);
  await payOn(sandbox.client);
  page = await openFilePage(pageOfReport(await createReport(sandbox.client)));
  await sandbox.close();
});
afterAll(() => page.browser.close());

it.each([PHONE, DESKTOP])('the report page is accessible at %o, in light and dark', async (size) => {
  await expectAccessible(page.page, size);
});

it('the report page lists findings, checked calls and unseen cells', async () => {
  const text = (await page.page.textContent('main')) ?? '';
  expect(text).toContain('Not a certification by any provider.');
  expect(text).toContain('Coverage is not correctness');
  expect(text).toContain('SBX-W07: Two payments of a merchant have the same payerReference.');
  expect(text).toContain('2 initiatePayment');
  expect(text).toContain('none of 7 seen');
  expect(text).not.toContain('card-switch');
  expect(text.indexOf('1 finding')).toBeLessThan(text.indexOf('Not a certification'));
});

it('the report page makes no requests', () => {
  expect(new Set(page.requests)).toEqual(new Set([page.address]));
});
