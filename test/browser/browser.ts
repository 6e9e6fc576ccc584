import { type Browser, chromium } from 'playwright-core';
import { findBrowser, launchOptions } from '../../scripts/browser.mjs';

/** A browser without a window. Whoever opens it closes it. `npm run browser` finds or gets one. */
export function openBrowser(): Promise<Browser> {
  const executablePath = findBrowser();
  if (!executablePath) {
    throw new Error('No Chromium found: npm run browser says how to get one.');
  }
  return chromium.launch(launchOptions(executablePath));
}
