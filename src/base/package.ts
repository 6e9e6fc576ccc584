import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

/** The package's folder, which contains fixtures/ and schemas/. It is above src/, and above the bundle in dist/. */
export const PACKAGE_ROOT = packageAbove(new URL('./', import.meta.url));

/** The folder of files that `npm run build` writes for the program. */
export const BUILT_ASSETS = `${PACKAGE_ROOT}dist/assets/`;

export const VERSION: string = readJson<{ version: string }>(`${PACKAGE_ROOT}package.json`).version;

export function readJson<Value>(path: string): Value {
  return JSON.parse(readFileSync(path, 'utf8')) as Value;
}

export function readPackedJson<Value>(path: string): Value {
  return JSON.parse(gunzipSync(readFileSync(path)).toString('utf8')) as Value;
}

function packageAbove(folder: URL): string {
  return existsSync(new URL('package.json', folder)) ? fileURLToPath(folder) : packageAbove(new URL('../', folder));
}
