import type { Instant } from '../../../../base/time.ts';
import type { Reader } from '../../../sessions/reader.ts';

/** One time that a report was issued to its merchant. */
export interface IssuedReport {
  /** Identifies it among the reports of its type. */
  id: string;
  version: number;
  /** Default: it has one version. */
  latestVersion?: number;
  environment: 'production' | 'sandbox';
  currency: string;
  /** The day that it is about; of a month, the last one. */
  businessDate: string;
  issuedAt: Instant;
}

/** A report in the form that was asked for: members for JSON, or a text. */
export type WrittenReport = { members: object } | { mediaType: string; text: string };

export interface ReportType {
  /** The first is the usual one. */
  formats: readonly [string, ...string[]];
  /** All reports that a merchant has received so far, in any order. */
  issuedTo(reader: Reader, merchantId: string): Promise<IssuedReport[]>;
  /** Default: the latest version. Throws `unknown-record` for a report that the merchant does not have, or not yet. */
  contentOf(
    reader: Reader,
    merchantId: string,
    wanted: { id: string; version: number | undefined; format: string },
  ): Promise<WrittenReport>;
}
