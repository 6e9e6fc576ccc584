import type {
  Difference,
  NoiseRule,
  RecordedCall,
  RecordedNotification,
} from '../../../src/base/schema/generated/recordings.ts';
import { parseInstant } from '../../../src/base/time.ts';
import type { CallKind } from '../../../src/recordings/call-kinds.ts';
import { Comparison, type ComparisonResult } from '../../../src/recordings/drift/comparison.ts';
import { NoiseFilter } from '../../../src/recordings/drift/noise-filter.ts';
import { SHIPPED_NOISE_RULES, TOLERANCE } from '../../../src/recordings/drift/shipped-noise-rules.ts';
import { NOT_SENT } from '../../../src/recordings/recording.ts';
import { callAt, notificationAt } from '../exchanges.ts';
import { timeAfter } from '../player/tape.ts';

export interface Side {
  calls: RecordedCall[];
  notifications?: RecordedNotification[];
  /** Seconds of observation. */
  until?: number;
}

const KINDS: Readonly<Record<string, string>> = {
  '/init/authenticate/merchant/wallet': 'initiatePayment',
  '/api/getPaymentDetails': 'getPaymentStatus',
  '/init/banks/all': 'listBanks',
};

export function compareSides(
  recorded: Side,
  sandbox: Side,
  rules: readonly NoiseRule[] = SHIPPED_NOISE_RULES,
): ComparisonResult {
  const end = ({ until = 60 }: Side) => parseInstant(timeAfter(until));
  const noise = new NoiseFilter({ rules: [...rules], tolerance: TOLERANCE });
  const comparison = new Comparison(noise, { recorded: end(recorded), sandbox: end(sandbox) });
  for (const [index, exchange] of recorded.calls.entries()) {
    const played = sandbox.calls[index] ?? { ...exchange, answer: null, error: `${NOT_SENT}the test has no answer` };
    comparison.compareCall({ ...kindOf(exchange), recorded: { exchange, file: 'a.jsonl', line: index + 2 }, played });
  }
  const line = recorded.calls.length + 2;
  for (const [index, each] of (recorded.notifications ?? []).entries()) {
    comparison.addNotification('recorded', each, { file: 'a.jsonl', line: line + index });
  }
  for (const each of sandbox.notifications ?? []) {
    comparison.addNotification('sandbox', each);
  }
  return comparison.finish();
}

function kindOf({ target }: RecordedCall): CallKind {
  const operation = KINDS[target.replace(/\?.*/, '')] ?? null;
  return { operation, channel: operation === 'listBanks' ? null : 'mobile-money', environment: 'production' };
}

/** A difference as `kind place: recorded | sandbox`, with its values or, without values, its formats. */
export function lineOf({ kind, place, recorded, sandbox }: Difference): string {
  const side = ({ is, values }: Difference['recorded']) => (values.length > 0 ? JSON.stringify(values) : is);
  return `${kind} ${place}: ${side(recorded)} | ${side(sandbox)}`;
}

export const linesOf = ({ differences }: ComparisonResult): string[] => differences.map(lineOf);

/** A call that is answered with JSON. */
export function answeredCall(
  json: object | string | number | null,
  changes: Partial<RecordedCall> = {},
  status = 200,
): RecordedCall {
  const body = { json: json as Record<string, unknown> };
  const headers = [{ name: 'Content-Type', value: 'text/plain' }];
  return callAt(timeAfter(0), { answer: { status, headers, body }, ...changes });
}

/** An initiation of a mobile-money payment. */
export function initiation(
  reference: string,
  seconds: number,
  answer: object,
  changes: Partial<RecordedCall> = {},
): RecordedCall {
  return answeredCall(answer, {
    at: timeAfter(seconds),
    method: 'POST',
    target: '/init/authenticate/merchant/wallet',
    body: { json: { walletName: 'WALLET_MOBILE', payerReference: reference, amount: '10.00' } },
    ...changes,
  });
}

export function statusQuery(id: string, seconds: number, status: string, members: object = {}): RecordedCall {
  return answeredCall(
    { status, ...members },
    { at: timeAfter(seconds), target: `/api/getPaymentDetails?transactionReference=${id}` },
  );
}

export function notification(
  reference: string,
  seconds: number,
  status = 'Paid',
  changes: Partial<RecordedNotification> = {},
): RecordedNotification {
  return notificationAt(timeAfter(seconds), { body: { json: { status, paymentReference: reference } }, ...changes });
}
