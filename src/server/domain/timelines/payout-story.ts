import type { Payout } from '../../../base/schema/generated/records.ts';
import { plural } from '../../../base/text/plural.ts';
import { CREDIT_EVENTS } from '../books/ledger/record-movements.ts';
import { causeOf } from '../payments/transitions.ts';
import type { Credit } from '../payouts/credits.ts';
import { causeInWords } from './cause-in-words.ts';
import type { Story, StoryContext } from './story.ts';
import {
  entryOfChange,
  moneyOf,
  plannedEntry,
  type RecordEvents,
  reasonOf,
  type StoryEntry,
  stateInEvents,
} from './story-entry.ts';

type WithNumber<Item> = Item & { number: number };

const PLANNED_WORDS = { Paid: 'will be paid', Failed: 'will fail', Returned: 'will be returned' } as const;

export function storyOfPayout(payout: Payout, { events }: StoryContext): Story {
  const { history, credits, state, unfunded, total, currency } = payout;
  const items = credits.map((credit, index) => ({ ...credit, number: index + 1 }));
  const changes = items.flatMap((credit) => credit.history.map((change) => ({ ...change, number: credit.number })));
  const plans = items.flatMap(({ plannedOutcomes, number }) =>
    plannedOutcomes.slice(0, 1).map((plan) => ({ ...plan, number })),
  );
  return {
    changes: history.map((change) => {
      const kind = change.from === null ? 'payout.created' : `payout.${stateInEvents(change.to)}`;
      const words = change.from === null ? moneyOf(total, currency) : textOf(change);
      // Its title begins with "Payout", because the other entries are those of credits.
      return entryOfChange(kind, { ...change, to: `Payout ${change.to}` }, events, words);
    }),
    otherEntries: groupByChange(changes, ({ to }) => to).map((group) => entryOfCredits(group, events)),
    plannedEntries: groupByChange(plans, ({ outcome }) => outcome)
      .map(entryOfPlans)
      .sort((one, other) => one.at - other.at),
    ...(unfunded ? { state: ['The merchant is owed less than the payout, so nothing was debited'] } : {}),
    rule: history.map(({ decidedBy }) => decidedBy).findLast((each) => each?.startsWith('rule ')),
    isNotified: state !== 'Processing',
  };
}

function textOf(change: { to: string; code: string | null; description: string | null }): string {
  return change.to === 'Paid' ? '' : reasonOf(change);
}

type Group<Item> = readonly [Item, ...Item[]];

/** Groups credits with the same change at the same instant, because a payout may have a thousand. */
function groupByChange<Item extends { at: number; code: string | null; decidedBy?: string }>(
  items: readonly Item[],
  stateOf: (item: Item) => string,
): Group<Item>[] {
  const groups = new Map<string, [Item, ...Item[]]>();
  for (const item of items) {
    const key = JSON.stringify([item.at, stateOf(item), item.code, item.decidedBy]);
    const group = groups.get(key);
    groups.set(key, group ? [...group, item] : [item]);
  }
  return [...groups.values()];
}

function nameOf([first, ...others]: Group<{ number: number }>): string {
  return others.length === 0 ? `Credit ${first.number}` : plural(others.length + 1, 'credit');
}

function entryOfCredits(group: Group<WithNumber<Credit['history'][number]>>, events: RecordEvents): StoryEntry {
  const [first, last = first] = [group[0], group.at(-1)];
  const kind = `payout.credit-${stateInEvents(first.to)}`;
  const change = { ...first, to: `${nameOf(group)} ${first.to}` };
  // The event of the last credit completes the group.
  return entryOfChange(kind, change, events, textOf(first), ({ data }) => data['number'] === last.number);
}

function entryOfPlans(group: Group<WithNumber<Credit['plannedOutcomes'][number]>>): StoryEntry {
  const [{ at, outcome, code, decidedBy }] = group;
  return plannedEntry(at, {
    kind: CREDIT_EVENTS[outcome],
    title: `${nameOf(group)} ${PLANNED_WORDS[outcome]}`,
    words: code ?? '',
    cause: causeInWords(causeOf(decidedBy), decidedBy),
  });
}
