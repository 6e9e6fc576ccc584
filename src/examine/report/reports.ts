import { junitOf } from './junit.ts';
import { pageOf } from './page.tsx';
import type { Report } from './report.ts';

/** Formats of a report, by the flag for the file. */
export const REPORTS = {
  json: (report: Report) => `${JSON.stringify(report, null, 2)}\n`,
  junit: junitOf,
  html: pageOf,
} as const;
