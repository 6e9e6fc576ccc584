import { coverageOf } from '../../src/base/report/coverage-cells.ts';
import { pageOfCoverage } from '../../src/cli/commands/coverage-page.tsx';
import { loadFixtures } from '../../src/server/config/fixtures.ts';
import { CoverageRecorder } from '../../src/server/findings/coverage/coverage-recorder.ts';
import { DESKTOP, PHONE } from './console-page.ts';
import { expectAccessible, type FilePage, openFilePage } from './file-page.ts';

const DEGREES = ['seen', 'delivered', 'produced', 'never', 'never'] as const;

let page: FilePage;

beforeAll(async () => {
  const fixtures = await loadFixtures();
  const { cells } = new CoverageRecorder(
    () => fixtures,
    () => {},
  ).coverage;
  const degreeOf = (name: string, index: number) =>
    name === 'pages' ? 'seen' : (DEGREES[index % DEGREES.length] ?? 'never');
  const shownCells = cells.map((cell, index) => ({ ...cell, degree: degreeOf(cell.class, index) }));
  page = await openFilePage(pageOfCoverage(coverageOf(shownCells)));
});
afterAll(() => page.browser.close());

it.each([PHONE, DESKTOP])(
  'the coverage page is accessible at %o, in light and dark, with every degree',
  async (size) => {
    await expectAccessible(page.page, size);
    const text = (await page.page.textContent('main')) ?? '';
    expect(text).toContain('Coverage is not correctness');
    expect(text).toContain('it happened, but your code was not notified');
    expect(text).toContain('your endpoint was notified, but refused it');
    expect(text).toContain('All seen.');
  },
);

it('the coverage page makes no requests', () => {
  expect(new Set(page.requests)).toEqual(new Set([page.address]));
});
