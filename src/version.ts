import { readFileSync } from 'node:fs';
import { PACKAGE_ROOT } from './package-root.ts';

const PACKAGE = `${PACKAGE_ROOT}package.json`;

/** The version in package.json. */
export const VERSION: string = (JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string }).version;
