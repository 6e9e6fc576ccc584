import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The package's folder, with fixtures/ and schemas/ in it: one level up, from src/ as from the bundle in dist/. */
export const PACKAGE_ROOT = fileURLToPath(new URL('../', import.meta.url));

/** The version in package.json. */
export const VERSION: string = (JSON.parse(readFileSync(`${PACKAGE_ROOT}package.json`, 'utf8')) as { version: string })
  .version;
