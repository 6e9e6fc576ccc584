// Finds the browser that the page tests drive, or gets one where the machine has internet. Prints its path.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge'];

/** Where it is when it is not on the PATH. */
const PLACES = [
  ...NAMES.map((name) => `/usr/bin/${name}`),
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** No sandbox, since CI often runs as root; nothing that calls out by itself, since tests have no internet. */
export const BROWSER_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/**
 * The path of an installed Chromium or Chrome, or undefined. SANDBOX_TEST_BROWSER goes before every other, and must exist.
 *
 * @param {Record<string, string | undefined>} [environment]
 * @returns {string | undefined}
 */
export function findBrowser(environment = process.env) {
  const named = environment['SANDBOX_TEST_BROWSER'];
  if (named) {
    if (!existsSync(named)) {
      throw new Error(`SANDBOX_TEST_BROWSER names ${named}, and there is no such file.`);
    }
    return named;
  }
  const onPath = (environment['PATH'] ?? '')
    .split(delimiter)
    .filter(Boolean)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [...onPath, ...PLACES, chromium.executablePath()].find((place) => existsSync(place));
}

function findOrInstall() {
  if (!findBrowser()) {
    console.log('No browser found: asking playwright-core for one.');
    const installer = ['playwright-core', 'install', 'chromium'];
    spawnSync('npx', installer, { stdio: 'inherit', shell: process.platform === 'win32' });
  }
  const browser = findBrowser();
  if (!browser) {
    throw new Error(
      'The page tests need a Chromium. Install one (on Debian: apt-get install chromium), or name yours in SANDBOX_TEST_BROWSER.',
    );
  }
  return browser;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    console.log(findOrInstall());
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
