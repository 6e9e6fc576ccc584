import { messageOf } from '../base/errors.ts';
import { afterMilliseconds } from '../base/timers.ts';
import type { ControlConnection } from './connection.ts';
import { ControlError } from './control-error.ts';
import type { ShownClock, ShownDelivery, ShownEndpoint, ShownList, ShownPayment, ShownPayout } from './shown.ts';
import type { Diagnostics } from './wait-timeout-error.ts';

/** Time limit of all calls together. */
const TIMEOUT_MS = 2000;

type Get = <Answer>(path: string) => Promise<Answer>;

/** Fetches the state of a session for the error of a wait that timed out. If that fails, the result has only `problem`, the reason. */
export async function collectDiagnostics(
  control: Pick<ControlConnection, 'call'>,
  { isAboutDeliveries, subject }: { isAboutDeliveries: boolean; subject?: string | undefined },
): Promise<Diagnostics> {
  const limit = new AbortController();
  const cancel = afterMilliseconds(TIMEOUT_MS, () => limit.abort());
  const get: Get = <Answer>(path: string) => control.call<Answer>('GET', path, undefined, limit.signal);
  try {
    if (!isAboutDeliveries) {
      return { clock: await get('/clock') };
    }
    const payment = subject === undefined ? undefined : await recordOf<ShownPayment>(get, '/payments', subject);
    // The notifications of a payout can be waited for, too.
    const payout = payment === null ? await recordOf<ShownPayout>(get, '/payouts', subject ?? '') : null;
    const subjectId = payment?.id ?? payout?.id ?? subject;
    const filter = subjectId === undefined ? '' : `?subjectId=${encodeURIComponent(subjectId)}`;
    const [clock, { endpoints }, { items: deliveries }] = await Promise.all([
      get<ShownClock>('/clock'),
      get<{ endpoints: ShownEndpoint[] }>('/webhooks/endpoints'),
      get<ShownList<ShownDelivery>>(`/webhooks/deliveries${filter}`),
    ]);
    return { clock, deliveries, endpoints, ...(payment === undefined || payout ? {} : { payment }) };
  } catch (error) {
    return { problem: limit.signal.aborted ? `no answer within ${TIMEOUT_MS} ms` : messageOf(error) };
  } finally {
    cancel();
  }
}

/** The record with this id or reference; null if it does not exist. */
async function recordOf<View>(get: Get, list: string, subject: string): Promise<View | null> {
  try {
    return await get<View>(`${list}/${encodeURIComponent(subject)}`);
  } catch (error) {
    if (error instanceof ControlError && error.status === 404) {
      return null;
    }
    throw error;
  }
}
