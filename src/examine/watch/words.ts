import { plural } from '../../base/text/plural.ts';
import { summaryOf } from '../report/summary.ts';
import type { Situation } from '../situations/situation.ts';
import { UNSEEN } from './evidence.ts';
import type { WatchSetting } from './set-up.ts';
import type { Watched } from './watch.ts';

/** How to point a shop to what watches it. */
export function introductionOf(
  { url, receivers }: Pick<WatchSetting, 'url' | 'receivers'>,
  environment: Readonly<Record<string, string>>,
  situations: readonly Situation[],
): string {
  const told = Object.entries({ PAYMENTS_URL: url, ...environment }).map(([name, value]) => `  ${name}=${value}`);
  const notified =
    receivers.length === 0
      ? 'Nobody is notified: name the address where your shop takes notifications, as in --webhook http://127.0.0.1:3000/webhook'
      : `Notifications go to ${receivers.join(', ')}`;
  return [
    `Watching at ${url}. Point your shop there, and place orders, by hand or by your tests:`,
    ...told,
    notified,
    `Each new order, known by its payerReference, meets the next of ${plural(situations.length, 'situation')}. Ctrl-C ends the watch and prints what it came to.`,
    '',
  ].join('\n');
}

/** The watch in words, with how far it could see. */
export function summaryOfWatch({ examined, calls }: Watched, url: string): string {
  if (examined.cases === 0) {
    return `No order came, so nothing can be told. ${whyNone(calls)} The shop has to call ${url}, its PAYMENTS_URL.`;
  }
  const told = examined.verdicts.filter(({ note }) => note !== UNSEEN);
  return [
    summaryOf({ ...examined, verdicts: told }),
    '',
    `Seen from the wire alone. What your shop did with its orders ${UNSEEN}: whether goods left, how often, and what it takes for paid (I1, I2, I5, I6, I8, I11, I12, and of I4, I7 and I9 the other half); nor whether two references are one order.`,
    'An adapter of two functions shows it: merchant-sandbox examine --init',
  ].join('\n');
}

function whyNone(calls: Watched['calls']): string {
  const refused = calls.findLast(({ reason }) => reason !== null);
  if (calls.length === 0) {
    return 'There was no call at all.';
  }
  const last = refused ? `; the last that was refused is ${refused.method} ${refused.path}: ${refused.reason}` : '';
  return `There was ${plural(calls.length, 'call')}, and none made a payment${last}.`;
}
