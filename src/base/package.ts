import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

/** The package's folder, with fixtures/ and schemas/ in it: above src/ as above the bundle in dist/. */
export const PACKAGE_ROOT = packageAbove(new URL('.//', import.meta.url));

/** The file that `npm run build` puts next to the program. */
export const BUILT_ASSETS = `${PACKAGE_ROOT}dist/assets/`;

/** The version in package.json. */
export const VERSION: string = readJson<{ version: string }>(`${PACKAGE_ROOT}package.json`).version;

export function readJson<Value>(path: string): Value {
  return JSON.parse(readFileSync(path, 'utf8')) as Value;
}

/** The same of a file that is packed by gzip. */
export function readPackedJson<Value>(path: string): Value {
  return JSON.parse(gunzipSync(readFileSync(path)).toString('utf8')) as Value;
}

function packageAbove(folder: URL): string {
  return existsSync(new URL('package.json', folder)) ? fileURLToPath(folder) : packageAbove(new URL('../', folder));
}
