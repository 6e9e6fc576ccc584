import type { RecordedCall, RecordedNotification } from '../../src/base/schema/generated/recordings.ts';

/** Default: a call that lists the banks. */
export function callAt(at: string, changes: Partial<RecordedCall> = {}): RecordedCall {
  return {
    kind: 'call',
    id: 'call-1',
    at,
    method: 'GET',
    target: '/init/banks/all',
    headers: [{ name: 'Accept', value: '*/*' }],
    body: null,
    ms: 5,
    answer: { status: 200, headers: [{ name: 'Content-Type', value: 'text/plain' }], body: { json: [] } },
    error: null,
    ...changes,
  };
}

/** Default: a notification of a paid payment. */
export function notificationAt(at: string, changes: Partial<RecordedNotification> = {}): RecordedNotification {
  return {
    kind: 'notification',
    id: 'notification-1',
    at,
    method: 'POST',
    target: '/hook',
    headers: [{ name: 'Content-Type', value: 'application/json' }],
    body: { json: { status: 'Paid', paymentReference: 'ORDER-1' } },
    ms: 5,
    answer: { status: 200, headers: [], body: null },
    error: null,
    ...changes,
  };
}
