import { messageOf } from '../base/errors.ts';
import { afterMilliseconds } from '../base/timers.ts';
import type { ControlConnection } from './connection.ts';
import { ControlError } from './control-error.ts';
import type { ShownClock, ShownDelivery, ShownEndpoint, ShownList, ShownPayment } from './shown.ts';
import type { Diagnostics } from './wait-timeout-error.ts';

/** Time limit of all calls together. */
const TIMEOUT_MS = 2000;

/** Fetches the state of a session for the error of a wait. If that fails, the result has only `problem`, the reason. */
export async function collectDiagnostics(
  control: Pick<ControlConnection, 'call'>,
  { isAboutDeliveries, subject }: { isAboutDeliveries: boolean; subject?: string | undefined },
): Promise<Diagnostics> {
  const limit = new AbortController();
  const cancel = afterMilliseconds(TIMEOUT_MS, () => limit.abort());
  const get = <Answer>(path: string) => control.call<Answer>('GET', path, undefined, limit.signal);
  try {
    if (!isAboutDeliveries) {
      return { clock: await get('/clock') };
    }
    const payment = subject === undefined ? undefined : await paymentOf(get, subject);
    const filter = subject === undefined ? '' : `?subjectId=${encodeURIComponent(payment?.id ?? subject)}`;
    const [clock, { endpoints }, { items: deliveries }] = await Promise.all([
      get<ShownClock>('/clock'),
      get<{ endpoints: ShownEndpoint[] }>('/webhooks/endpoints'),
      get<ShownList<ShownDelivery>>(`/webhooks/deliveries${filter}`),
    ]);
    return { clock, deliveries, endpoints, ...(payment === undefined ? {} : { payment }) };
  } catch (error) {
    return { problem: limit.signal.aborted ? `no answer within ${TIMEOUT_MS} ms` : messageOf(error) };
  } finally {
    cancel();
  }
}

async function paymentOf(get: (path: string) => Promise<unknown>, subject: string): Promise<ShownPayment | null> {
  try {
    return (await get(`/payments/${encodeURIComponent(subject)}`)) as ShownPayment;
  } catch (error) {
    if (error instanceof ControlError && error.status === 404) {
      return null;
    }
    throw error;
  }
}
