// Finds the browser for the tests of pages, or installs one. Prints its path.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge'];

/** Where a browser is if it is not on the PATH. */
const PLACES = [
  ...NAMES.map((name) => `/usr/bin/${name}`),
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** No sandbox, because CI often runs as root; no connections of the browser itself, because tests have no internet. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/**
 * A package with a compressed headless browser for Linux on x64, and the libraries and fonts that a minimal machine lacks. With it,
 * every run has the same browser, and the tests take two thirds of the time of those with a complete browser.
 */
const PACKAGE = '@sparticuz/chromium';
const MODULES = fileURLToPath(new URL('../node_modules/', import.meta.url));
const { version } = JSON.parse(readFileSync(join(MODULES, PACKAGE, 'package.json'), 'utf8'));
const CACHE = join(MODULES, '.cache');
const UNPACKED = join(CACHE, `chromium-${version}`);
const isPackaged = process.platform === 'linux' && process.arch === 'x64';

/**
 * The path of an installed browser, or undefined. SANDBOX_TEST_BROWSER has priority, and must exist; then that of the package,
 * an installed Chromium or Chrome, and that of playwright-core.
 *
 * @param {Record<string, string | undefined>} [environment]
 * @returns {string | undefined}
 */
export function findBrowser(environment = process.env) {
  const namedPath = environment['SANDBOX_TEST_BROWSER'];
  if (namedPath) {
    if (!existsSync(namedPath)) {
      throw new Error(`SANDBOX_TEST_BROWSER names ${namedPath}, and there is no such file.`);
    }
    return namedPath;
  }
  const onPath = (environment['PATH'] ?? '')
    .split(delimiter)
    .filter(Boolean)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [join(UNPACKED, 'chromium'), ...onPath, ...PLACES, chromium.executablePath()].find((place) =>
    existsSync(place),
  );
}

/**
 * The options with which playwright-core launches the browser at a path.
 *
 * @param {string} executablePath
 */
export function launchOptions(executablePath) {
  const isUnpacked = dirname(executablePath) === UNPACKED;
  const libraries = { LD_LIBRARY_PATH: join(UNPACKED, 'al2023/lib'), FONTCONFIG_FILE: join(UNPACKED, 'fonts.conf') };
  const environment = Object.entries({ ...process.env, ...(isUnpacked ? libraries : {}) });
  return {
    executablePath,
    args: FLAGS,
    env: Object.fromEntries(environment.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
  };
}

/** Unpacks the browser of the package, which reads the environment variables of a cloud service. */
function unpack() {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, 'unpacking-'));
  const environment = { ...process.env, TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' };
  const script = `import('${PACKAGE}').then(({ default: chromium }) => chromium.executablePath())`;
  const { status } = spawnSync(process.execPath, ['-e', script], { env: environment, stdio: 'inherit' });
  // In node_modules, so that the fonts are found even if the project was moved or copied: without a font every page crashes.
  const fonts = `<fontconfig><dir prefix="relative">fonts</dir><cachedir>${UNPACKED}/fonts-cache</cachedir></fontconfig>`;
  writeFileSync(join(folder, 'fonts.conf'), fonts);
  if (status === 0 && !existsSync(UNPACKED)) {
    renameSync(folder, UNPACKED);
  }
  rmSync(folder, { recursive: true, force: true });
}

function findOrInstall() {
  if (isPackaged && !process.env['SANDBOX_TEST_BROWSER'] && !existsSync(UNPACKED)) {
    unpack();
  }
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
