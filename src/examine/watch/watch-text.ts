import { plural } from '../../base/text/plural.ts';
import { summaryOf } from '../report/summary.ts';
import type { Situation } from '../situations/situation.ts';
import { HIDDEN } from './evidence.ts';
import type { WatchResult } from './order-watch.ts';
import type { PreparedWatch } from './set-up-watch.ts';

/** Explains how to point a shop to the watching sandbox. */
export function introductionOf(
  { url, receivers }: Pick<PreparedWatch, 'url' | 'receivers'>,
  environment: Readonly<Record<string, string>>,
  situations: readonly Situation[],
): string {
  const variables = Object.entries({ PAYMENTS_URL: url, ...environment }).map(([name, value]) => `  ${name}=${value}`);
  const notificationLine =
    receivers.length === 0
      ? 'No notifications are sent: use --webhook to name the webhook URL of your shop, such as --webhook http://127.0.0.1:3000/webhook'
      : `Notifications go to ${receivers.join(', ')}`;
  return [
    `Watching at ${url}. Point your shop there, and place orders by hand or with your tests:`,
    ...variables,
    notificationLine,
    `Each new order, identified by its payerReference, meets the next of ${plural(situations.length, 'situation')}. Ctrl-C ends the watch and prints the verdicts.`,
    '',
  ].join('\n');
}

/** The result of a watch as text, with its limits. */
export function summaryOfWatch({ result, calls }: WatchResult, url: string): string {
  if (result.cases === 0) {
    return `No order was placed, so there are no verdicts. ${explainNoOrder(calls)} The shop must send its requests to ${url}, its PAYMENTS_URL.`;
  }
  const visible = result.verdicts.filter(({ note }) => note !== HIDDEN);
  return [
    summaryOf({ ...result, verdicts: visible }),
    '',
    `Based only on the traffic. What your shop did with its orders ${HIDDEN}: whether and how often they were fulfilled, and which amount counts as paid (I1, I2, I5, I6, I8, I11 to I14, and half of I4, I7 and I9). Neither can whether two references are for one order.`,
    'An adapter with two functions shows it: merchant-sandbox examine --init',
  ].join('\n');
}

function explainNoOrder(calls: WatchResult['calls']): string {
  const lastRefused = calls.findLast(({ reason }) => reason !== null);
  if (calls.length === 0) {
    return 'There was no request.';
  }
  const last = lastRefused
    ? `; the last one that was refused was ${lastRefused.method} ${lastRefused.path}: ${lastRefused.reason}`
    : '';
  return `${plural(calls.length, 'request')} made no payment${last}.`;
}
