// Finds the browser that the page tests drive, or gets one where the machine has internet. Prints its path.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

/** Where the usual packages put it. SANDBOX_TEST_BROWSER names any other. */
const PLACES = [
  process.env['SANDBOX_TEST_BROWSER'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  chromium.executablePath(),
];

export function findBrowser() {
  return PLACES.find((place) => place && existsSync(place));
}

if (import.meta.url === `file://${process.argv[1]}`) {
  if (!findBrowser()) {
    console.log('no browser found; asking playwright-core for one');
    spawnSync('npx', ['playwright-core', 'install', 'chromium-headless-shell', 'chromium'], { stdio: 'inherit' });
  }
  const browser = findBrowser();
  if (!browser) {
    console.error(
      'The page tests need a Chromium. Install one (on Debian: apt-get install chromium), or name yours in SANDBOX_TEST_BROWSER.',
    );
    process.exit(1);
  }
  console.log(browser);
}
