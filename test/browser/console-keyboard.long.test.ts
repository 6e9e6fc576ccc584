// The keyboard on every screen that the console links to.
import type { SandboxClient } from '../../src/client/client.ts';
import { ConsolePage } from './console-page.ts';
import { createRecords } from './records.ts';

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

interface Stop {
  element: string;
  isFirst: boolean;
  isNamed: boolean;
  isVisible: boolean;
  hasRing: boolean;
  isAfterLast: boolean;
}

/** Describes the focused element; undefined at the end of the page. Stores the element, to compare its position with the next one's. */
const FOCUSED = `(() => {
  const element = document.activeElement;
  if (element === null || element === document.body) return undefined;
  const { left, top, width, height } = element.getBoundingClientRect();
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  const shown = document.elementFromPoint(left + width / 2, top + height / 2);
  const label = element.labels?.[0]?.textContent ?? '';
  const name = element.getAttribute('aria-label') ?? (element.textContent.trim() || label || element.title);
  const last = globalThis.lastFocused;
  // A date and time field has a separate tab stop for each part.
  const isPart = last === element && element.matches('[type=datetime-local]');
  globalThis.lastFocused = element;
  return {
    element: element.outerHTML.slice(0, 160),
    isFirst: element.matches('.skip'),
    isNamed: name.trim() !== '',
    isVisible: width > 0 && height > 0 && (element.contains(shown) || shown?.contains(element) === true),
    hasRing: isPart || (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2),
    isAfterLast: isPart || last === undefined || (last.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0,
  };
})()`;

/** More than any screen has: a page with more stops traps the focus. */
const MAX_STOPS = 400;

const evaluate = <Value>(script: string) => ui.page.evaluate(script) as Promise<Value>;

/** Every element that the Tab key reaches, from the top of the page to its end. */
async function tabThroughPage(): Promise<Stop[]> {
  await evaluate('document.activeElement?.blur(); getSelection().removeAllRanges(); delete globalThis.lastFocused');
  const stops: Stop[] = [];
  while (stops.length < MAX_STOPS) {
    await ui.page.keyboard.press('Tab');
    const stop = await evaluate<Stop | undefined>(FOCUSED);
    if (stop === undefined || (stop.isFirst && stops.length > 0)) {
      return stops;
    }
    stops.push(stop);
  }
  throw new Error(`The focus does not reach the end of ${ui.page.url()}: ${stops.at(-1)?.element}`);
}

it('every element that the Tab key reaches is visible, named, in page order, and has a focus ring', async () => {
  for (const screen of screens) {
    await ui.open(session, screen);
    await ui.waitUntilLoaded();
    // The stream may report the clock later, which adds its buttons.
    await ui.page.getByTestId('clock-now').waitFor();
    const stops = await tabThroughPage();
    expect({ screen, startsWithSkipLink: stops[0]?.isFirst, isLong: stops.length > 20 }).toEqual({
      screen,
      startsWithSkipLink: true,
      isLong: true,
    });
    const flawedStops = stops.filter(
      ({ isNamed, isVisible, hasRing, isAfterLast }) => !(isNamed && isVisible && hasRing && isAfterLast),
    );
    expect({ screen, flawedStops }).toEqual({ screen, flawedStops: [] });
  }
});

it('the skip link leads past the navigation to the content', async () => {
  await ui.open(session, 'payments');
  await ui.waitUntilLoaded();
  await ui.page.keyboard.press('Tab');
  await ui.page.keyboard.press('Enter');
  await ui.page.keyboard.press('Tab');
  expect(await evaluate('document.activeElement.closest("main") !== null')).toBe(true);
});

it('the keyboard goes through every list, opens the focused row, and returns to it', async () => {
  const { page } = ui;
  const focusedPath = () => evaluate<string>('document.activeElement.pathname ?? ""');
  for (const screen of screens.filter((each) => !each.includes('/'))) {
    await ui.open(session, screen);
    await ui.waitUntilLoaded();
    // The rows after the open one, because the keys continue from there.
    const rows = await evaluate<string[]>(
      `(() => {
        const all = [...document.querySelectorAll('a.row')];
        return all.slice(all.findIndex((row) => row.ariaCurrent === 'true') + 1).map(({ pathname }) => pathname);
      })()`,
    );
    const [first, second = first] = rows;
    if (first === undefined) {
      continue;
    }
    await page.keyboard.press('j');
    expect([screen, await focusedPath()]).toEqual([screen, first]);
    await page.keyboard.press('j');
    expect([screen, await focusedPath()]).toEqual([screen, second]);
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await page.locator('.split.open a.row[aria-current=true]').waitFor();
    expect(new URL(page.url()).pathname).toBe(first);
    await page.keyboard.press('Escape');
    await page.locator('.split:not(.open)').waitFor();
    expect([screen, await focusedPath()]).toEqual([screen, first]);
  }
});

it('a screen accepts keys as soon as it is shown', async () => {
  const tab = await ui.openTab();
  // Sent before the first frame, because a listener that is added after it would miss this key.
  await tab.addInitScript(
    `addEventListener('DOMContentLoaded', () => dispatchEvent(new KeyboardEvent('keydown', { key: '?' })))`,
  );
  await tab.goto(`${session.baseUrl}/_sandbox/console/payments`);
  await tab.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await tab.close();
});

it('the keys in the list of shortcuts open every screen of the navigation', async () => {
  const { page } = ui;
  await ui.open(session, 'payments');
  await page.keyboard.press('?');
  await page.locator('.keys > div').first().waitFor();
  const keys = await page
    .locator('.keys > div')
    .evaluateAll((lines) =>
      lines.map((line) =>
        [...line.querySelectorAll('kbd')]
          .map((key) => key.textContent)
          .concat(line.querySelector('dd')?.textContent ?? ''),
      ),
    );
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  const sequences = keys.filter(([prefix]) => prefix === 'g');
  expect(sequences.map(([, , label]) => label)).toEqual(
    expect.arrayContaining(await page.locator('.tab:not(.docs)').allTextContents()),
  );
  for (const [prefix = '', key = '', label = ''] of sequences) {
    await page.keyboard.press(prefix);
    await page.keyboard.press(key);
    await page.locator('[aria-current=page]').filter({ hasText: label }).first().waitFor();
  }
});
