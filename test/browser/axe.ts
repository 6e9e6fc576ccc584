import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

/** The script that looks a page over for what keeps people from using it. Each page is given it once. */
export const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const RUN = (options: object) =>
  `axe.run(document, ${JSON.stringify({ preload: false, resultTypes: ['violations'], ...options })})
    .then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html, failureSummary }) => [html, failureSummary])]))`;

/** What is to be mended on a page, by all rules in light and by those about colours in dark: no other rule looks at them. */
export async function violationsOn(page: Page): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const [colorScheme, options] of [
    ['dark', { runOnly: ['color-contrast', 'link-in-text-block'] }],
    ['light', {}],
  ] as const) {
    // While one scheme passes into the other, colours are neither those of one nor of the other.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const violations = (await page.evaluate(RUN(options))) as unknown[];
    found.push(...violations.map((violation) => [colorScheme, violation]));
  }
  return found;
}
