import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

/** The script that finds accessibility violations. It has to be evaluated in a page before `violationsOn`. */
export const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const axeScript = (options: object) =>
  `axe.run(document, ${JSON.stringify({ preload: false, resultTypes: ['violations'], ...options })})
    .then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html, failureSummary }) => [html, failureSummary])]))`;

/** The accessibility violations of a page: of all rules in light, but only of the colour rules in dark, because no other rule depends on colours. */
export async function violationsOn(page: Page): Promise<unknown[]> {
  // The elements of a page may be loaded before its style sheet, without which colours cannot be checked.
  await page.waitForLoadState();
  const problems: unknown[] = [];
  for (const [colorScheme, options] of [
    ['dark', { runOnly: ['color-contrast', 'link-in-text-block'] }],
    ['light', {}],
  ] as const) {
    // With reduced motion, because colours are mixed during the transition from one scheme to the other.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const violations = (await page.evaluate(axeScript(options))) as unknown[];
    problems.push(...violations.map((violation) => [colorScheme, violation]));
  }
  return problems;
}
