import type { Instant } from '../../../../base/time.ts';
import type { Reader } from '../../../sessions/reader.ts';

/** A version of a report that was issued to its merchant. */
export interface IssuedReport {
  /** Identifies it among the reports of its type. */
  id: string;
  version: number;
  /** Default: the report has only one version. */
  latestVersion?: number;
  environment: 'production' | 'sandbox';
  currency: string;
  /** The day of the report; for a month, its last day. */
  businessDate: string;
  issuedAt: Instant;
}

/** The content of a report: members for JSON, otherwise a text. */
export type ReportBody = { members: object } | { mediaType: string; text: string };

export interface ReportType {
  /** The first is the default. */
  formats: readonly [string, ...string[]];
  /** All reports that were issued to a merchant so far, in any order. */
  listIssued(reader: Reader, merchantId: string): Promise<IssuedReport[]>;
  /** Default version: the latest. Throws `unknown-record` if it was not issued, `conflict` if an amount is too long for the format. */
  contentOf(
    reader: Reader,
    merchantId: string,
    request: { id: string; version: number | undefined; format: string },
  ): Promise<ReportBody>;
}
