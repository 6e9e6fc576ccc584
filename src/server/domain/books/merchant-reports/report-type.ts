import type { Instant } from '../../../../base/time.ts';
import type { Reader } from '../../../sessions/reader.ts';

/** One time that a report was issued to its merchant. */
export interface IssuedReport {
  /** What it is fetched by, with its type. */
  id: string;
  version: number;
  /** Left out, it has one version. */
  latestVersion?: number;
  environment: 'production' | 'sandbox';
  currency: string;
  /** The day that it is about; of a month, the last one. */
  businessDate: string;
  issuedAt: Instant;
}

/** A report in the form that was asked for: members for JSON, or a text. */
export type ReportContent = { members: object } | { mediaType: string; text: string };

export interface ReportType {
  /** The first is the usual one. */
  formats: readonly [string, ...string[]];
  /** All that a merchant has been given so far, in any order. */
  issuedTo(reader: Reader, merchantId: string): Promise<IssuedReport[]>;
  /** Left out, the version is the latest. Throws `unknown-record` for what the merchant does not have, or not yet. */
  contentOf(
    reader: Reader,
    merchantId: string,
    wanted: { id: string; version: number | undefined; format: string },
  ): Promise<ReportContent>;
}
