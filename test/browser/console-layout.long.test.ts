// The layout of every screen that the console links to, at common widths.
import type { SandboxClient } from '../../src/client/client.ts';
import { waitForCount } from './browser.ts';
import { ConsolePage, PHONE } from './console-page.ts';
import { createRecords } from './records.ts';

const LARGE_WINDOWS = [
  { width: 1440, height: 900 },
  { width: 1920, height: 1080 },
];
/** The largest height of the head on a phone, in pixels. */
const MAX_HEAD_HEIGHT = 100;
/** The largest distance from the top of the window to the first row of a list on a phone, in pixels. */
const MAX_FIRST_ROW_TOP = 200;

let ui: ConsolePage;
let session: SandboxClient;
let screens: string[];

beforeAll(async () => {
  ui = await ConsolePage.start();
  session = await ui.newSession();
  await createRecords(session, ui.receiver.url);
  screens = await ui.listScreens(session);
});
afterEach(() => ui.finishTest());
afterAll(() => ui.close());

/** Controls and values that are not entirely within the window, except those in elements that scroll. */
const OUTSIDE_WINDOW = `[...document.querySelectorAll('button, a, input, select, .state, .money, h1, h2')].flatMap((element) => {
  const { left, right, width } = element.getBoundingClientRect();
  const isShown = width > 1 && element.checkVisibility({ visibilityProperty: true });
  const isOff = isShown && (left < -0.5 || right > innerWidth + 0.5);
  return !isOff || element.closest('.table-scroll, .code-text, .json-lines, .skip') ? [] : [element.outerHTML.slice(0, 200)];
})`;

/** Choices of a line that are only partly visible. */
const CUT_CHOICES = `[...document.querySelectorAll('.line')].flatMap((line) =>
  [...line.children].flatMap((choice) => {
    const { left, right } = choice.getBoundingClientRect();
    const end = line.getBoundingClientRect();
    const isShown = choice.checkVisibility({ visibilityProperty: true }) && end.width > 0;
    return isShown && (right > end.right + 1 || left < end.left - 1) ? [choice.textContent] : [];
  }))`;

/** Words that are broken across lines. Code, ids and paths are not words. */
const BROKEN_WORDS = `(() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    if (text.parentElement.closest('code, pre, textarea, .json, .id, .address')) continue;
    for (const { 0: word, index } of text.data.matchAll(/(?<![^\\s("])[A-Za-z]+(?![^\\s.,:;)!?])/g)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) found.push(word);
    }
  }
  return found;
})()`;

const evaluate = <Value>(script: string) => ui.page.evaluate(script) as Promise<Value>;

describe('on a phone', () => {
  it('no screen scrolls sideways, breaks a word, or cuts a choice', async () => {
    await ui.open(session, 'payments', { viewport: PHONE });
    for (const screen of screens) {
      await ui.navigateAndWait(session, screen);
      const width = await evaluate<number>('document.scrollingElement.scrollWidth');
      const [off, cut] = [await evaluate<string[]>(OUTSIDE_WINDOW), await evaluate<string[]>(CUT_CHOICES)];
      const broken = await evaluate<string[]>(BROKEN_WORDS);
      expect({ screen, width, off, cut, broken }).toEqual({ screen, width: PHONE.width, off: [], cut: [], broken: [] });
    }
  });

  it('the head is at most 100 pixels high, and its pickers have labels', async () => {
    await ui.open(session, 'payments', { viewport: PHONE });
    await ui.waitUntilLoaded();
    expect((await ui.page.locator('main').boundingBox())?.y).toBeLessThanOrEqual(MAX_HEAD_HEIGHT);
    const labels = ui.page.locator('.picker-label');
    expect(await labels.allTextContents()).toEqual(['Session ', 'Scenario of payments ']);
    const widths = await Promise.all(
      (await labels.all()).map(async (label) => (await label.boundingBox())?.width ?? 0),
    );
    expect(Math.min(...widths)).toBeGreaterThan(1);
  });

  it("each button above the traffic has visible text, and the clock's menu is within the window", async () => {
    await ui.open(session, 'traffic', { viewport: PHONE });
    await ui.waitUntilLoaded();
    const wordless = await evaluate<string[]>(`[...document.querySelectorAll(':is(.top, .find, .side nav) button')]
      .filter((button) => button.checkVisibility({ visibilityProperty: true }))
      .filter((button) => ![...button.querySelectorAll('*'), button].some((part) => {
        const hasText = [...part.childNodes].some((child) => child.nodeType === 3 && child.data.trim() !== '');
        return hasText && part.getBoundingClientRect().width > 1 && getComputedStyle(part).visibility === 'visible';
      }))
      .map((button) => button.outerHTML)`);
    expect(wordless).toEqual([]);
    await ui.page.getByRole('button', { name: 'More about the clock' }).click();
    const menu = await ui.page.getByRole('menu').boundingBox();
    expect(menu?.x).toBeGreaterThanOrEqual(0);
    expect((menu?.x ?? 0) + (menu?.width ?? 0)).toBeLessThanOrEqual(PHONE.width);
  });

  it('a filter chosen in the menu is applied, and the menu shows that it is on', async () => {
    await ui.open(session, 'payments', { viewport: PHONE });
    await ui.page.getByRole('button', { name: 'Filter' }).click();
    await ui.page.getByRole('menuitem', { name: 'Failed' }).click();
    await ui.page.getByRole('button', { name: 'Filter: Failed' }).waitFor();
    await ui.page.locator('a.row').filter({ hasText: 'ORDER-1' }).waitFor();
    await waitForCount(ui.page.locator('a.row'), 1);
  });

  it('the first row of each list is within 200 pixels of the top', async () => {
    await ui.open(session, 'payments', { viewport: PHONE });
    const firstRowTops: Record<string, number> = {};
    for (const screen of screens.filter((each) => !each.includes('/'))) {
      await ui.navigateAndWait(session, screen);
      const row = ui.page.locator('.list a.row').first();
      if (await row.isVisible()) {
        firstRowTops[screen] = (await row.boundingBox())?.y ?? Number.POSITIVE_INFINITY;
      }
    }
    expect(Object.keys(firstRowTops).length).toBeGreaterThan(7);
    expect(Object.entries(firstRowTops).filter(([, y]) => y > MAX_FIRST_ROW_TOP)).toEqual([]);
  });
});

it('no word is broken across lines in a window that is just wide enough for list and detail', async () => {
  await ui.open(session, 'payments', { viewport: { width: 1024, height: 800 } });
  for (const screen of screens) {
    await ui.navigateAndWait(session, screen);
    expect({ screen, broken: await evaluate<string[]>(BROKEN_WORDS) }).toEqual({ screen, broken: [] });
  }
});

describe('at 1280 pixels', () => {
  it('no tab, link or filter is cut or wraps', async () => {
    await ui.open(session, 'traffic');
    for (const screen of screens) {
      await ui.navigateAndWait(session, screen);
      const cut = await evaluate<string[]>(CUT_CHOICES);
      const wrapped = await evaluate<string[]>(
        `[...document.querySelectorAll('.tab, .kind, .chip')].filter((each) => each.getClientRects().length > 0 && each.offsetHeight > 40).map((each) => each.textContent)`,
      );
      expect({ screen, cut, wrapped }).toEqual({ screen, cut: [], wrapped: [] });
    }
  });
});

describe('presentation mode', () => {
  it.each(LARGE_WINDOWS)('shows session and scenario, and fits the window, at %o', async (viewport) => {
    await ui.open(session, 'payments', { viewport });
    await ui.page.getByRole('button', { name: 'Large text' }).click();
    for (const screen of screens) {
      await ui.navigateAndWait(session, screen);
      const off = await evaluate<string[]>(OUTSIDE_WINDOW);
      const shown = await evaluate<string[]>(
        `[...document.querySelectorAll('.picker-value')].filter((each) => each.checkVisibility() && each.scrollWidth <= each.clientWidth).map((each) => each.textContent)`,
      );
      const width = await evaluate<number>('document.scrollingElement.scrollWidth');
      expect({ screen, width, off, shown }).toEqual({
        screen,
        width: viewport.width,
        off: [],
        shown: [session.session, 'payer-decides'],
      });
    }
  });
});
