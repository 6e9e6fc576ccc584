import { isCaught } from '../catch.ts';
import { isRefused } from '../is-success.ts';
import { isWronglySigned } from '../is-wrongly-signed.ts';
import type { DeliveryView, PaymentView, RequestView } from '../schema/generated/control.ts';

/** The largest page of a list. A report reads one page of each list, so that it costs few calls. */
export const MAX_COUNTED = 1000;

/** Number of items of one kind. */
export interface CheckedCount {
  of: string;
  count: number;
}

export interface CheckSummary {
  /** By operation. */
  calls: (CheckedCount & { withoutSuccess: number })[];
  /** The number of calls that were refused because they were wrong. */
  wrongCalls: number;
  /** By state. */
  payments: CheckedCount[];
  /** By outcome. */
  notifications: CheckedCount[];
  /** The number of notifications, sent to the code under test, that a receiver which verifies signatures would refuse. */
  wronglySigned: number;
  /** Lists of which only the newest items were counted. */
  cut: string[];
}

interface ListPage<Item> {
  items: readonly Item[];
  nextCursor: string | null;
}

type Call = Pick<RequestView, 'operation' | 'outcome' | 'headers' | 'answer'>;
type Notification = Pick<DeliveryView, 'state' | 'url' | 'attempts' | 'forgery' | 'webhookBehaviour'>;

const DELIVERY_OUTCOMES: Readonly<Record<DeliveryView['state'], string>> = {
  delivered: 'acknowledged',
  pending: 'under way',
  held: 'held back',
  failed: 'given up',
  dropped: 'lost',
};

/** Refusals that only a mistake in the call causes. Correct code may get the others, too, for example when its token has expired. */
const MISTAKE = /^refused: (malformed-body|body-too-large|invalid-field|wrong-\w+|unknown-path|forbidden-origin)/;
const isWrong = ({ outcome, headers }: Call) =>
  MISTAKE.test(outcome ?? '') || (outcome?.startsWith('refused: bad-bearer') && headers['authorization'] === undefined);

const isSentToCode = (each: Notification) => !isCaught(each) && each.attempts.length > 0;
const operationOf = ({ operation }: Call) => operation ?? 'of unknown operations';

/** Counts the items of each list; `nextCursor` shows that the list has older ones, too. */
export function summarizeChecks(lists: {
  calls: ListPage<Call>;
  payments: ListPage<Pick<PaymentView, 'state'>>;
  notifications: ListPage<Notification>;
}): CheckSummary {
  const { calls, payments, notifications } = lists;
  const failed = calls.items.filter(({ answer }) => isRefused(answer?.status ?? null)).map(operationOf);
  return {
    calls: countsOf(calls.items, operationOf).map(({ of, count }) => {
      return { of, count, withoutSuccess: failed.filter((operation) => operation === of).length };
    }),
    wrongCalls: calls.items.filter(isWrong).length,
    payments: countsOf(payments.items, ({ state }) => state),
    notifications: countsOf(notifications.items, outcomeOf),
    wronglySigned: notifications.items.filter((each) => isWronglySigned(each) && isSentToCode(each)).length,
    cut: Object.entries(lists).flatMap(([name, { nextCursor }]) => (nextCursor === null ? [] : [name])),
  };
}

/** A delivery that was acknowledged still counts as such while it is sent again; one to the built-in receiver counts as caught. */
function outcomeOf(delivery: Notification): string {
  const { state, attempts } = delivery;
  if (attempts.some(({ error }) => error === null)) {
    return isCaught(delivery) ? 'caught by the sandbox' : 'acknowledged';
  }
  return state === 'pending' && attempts.length > 0 ? 'not acknowledged so far' : DELIVERY_OUTCOMES[state];
}

/** The most frequent first. */
function countsOf<Item>(items: readonly Item[], kindOf: (item: Item) => string): CheckedCount[] {
  const counts = new Map<string, number>();
  for (const kind of items.map(kindOf)) {
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts].map(([of, count]) => ({ of, count })).toSorted((one, other) => other.count - one.count);
}
