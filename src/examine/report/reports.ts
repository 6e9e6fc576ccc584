import type { Examined } from '../examination.ts';
import { junitOf } from './junit.ts';
import { pageOf } from './page.tsx';

/** What an examination can be written as, by the flag that names the file. */
export const REPORTS = {
  json: (examined: Examined) => `${JSON.stringify(examined, null, 2)}\n`,
  junit: junitOf,
  html: pageOf,
} as const;
