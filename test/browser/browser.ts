import { type Browser, chromium } from 'playwright-core';
import { findBrowser, launchOptions } from '../../scripts/browser.mjs';

/** A browser without a window. Whoever opens it closes it. `npm run browser` finds or gets one. */
export function openBrowser(): Promise<Browser> {
  const executablePath = findBrowser();
  if (!executablePath) {
    throw new Error('No Chromium found: npm run browser says how to get one.');
  }
  const launch = () => chromium.launch(launchOptions(executablePath));
  // One that crashed before it had a page, as Chromium does now and then on a busy machine, says nothing of the pages.
  return launch().catch(launch);
}
