import { fileURLToPath } from 'node:url';

/** The package's folder, with fixtures/ and schemas/ in it: one level up, from src/ as from the bundle in dist/. */
export const PACKAGE_ROOT = fileURLToPath(new URL('../', import.meta.url));
