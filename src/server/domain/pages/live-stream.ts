import { createHash } from 'node:crypto';
import type { Payment, PaymentLink } from '../../../base/schema/generated/records.ts';
import type { Session } from '../../sessions/session.ts';
import { encodeSegment } from '../../sessions/session-addresses.ts';
import { linkOf } from '../payments/link-of-payment.ts';
import { pathsOf } from './paths.ts';

/** Maximum number of payments that a phone reads, so that the cost does not grow with its history. */
export const MAX_PAYMENTS_ON_PHONE = 200;

/** The newest payments of a mobile number, the oldest of them first. */
export function paymentsOnPhone(session: Session, mobile: string): Payment[] {
  return session.reader.find('payments', 'payerMobile', mobile, { newest: MAX_PAYMENTS_ON_PHONE });
}

/** The records that an open page shows and follows. */
export type FollowedRecords = readonly (Payment | PaymentLink | undefined)[];

/** The kinds of pages that can be followed; each function reads the page's records by the key in its stream's address. */
export const FOLLOWED_PAGES: Readonly<Record<string, (session: Session, key: string) => FollowedRecords>> = {
  payment: (session, id) => {
    const payment = session.reader.get('payments', id);
    return payment ? [payment, linkOf(session.reader, payment)] : [];
  },
  phone: (session, mobile) => {
    const payments = paymentsOnPhone(session, mobile);
    return [...payments, ...payments.map((payment) => linkOf(session.reader, payment))];
  },
  link: (session, token) => session.reader.find('links', 'token', token),
};

/** The address of a page's stream, and the version that the page shows. */
export interface LiveStream {
  address: string;
  version: string;
}

export function liveStreamOf(
  session: Session,
  kind: 'payment' | 'phone' | 'link',
  key: string,
  records: FollowedRecords,
): LiveStream {
  return {
    address: pathsOf(session).to(`/pay/versions/${kind}/${encodeSegment(key)}`),
    version: versionOf(session, records),
  };
}

/** Changes with the parts of these records that pages show, with a reset, and with the clock's setting (for the remaining time). */
export function versionOf({ generation, clock }: Session, shownRecords: FollowedRecords): string {
  const records = shownRecords.filter((record) => record !== undefined);
  const parts = records.map((record) =>
    'state' in record
      ? `${record.id} ${record.state} ${record.failedTries} ${record.adjustments?.length}`
      : JSON.stringify(record),
  );
  const text = [String(generation.number), JSON.stringify(clock.setting), ...[...new Set(parts)].sort()].join('\n');
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}
