import { missingRaceSupport } from '../race/missing-support.ts';
import { isKilling, partiesIn } from '../race/schedule.ts';
import type { OptionalCall } from '../shop/adapter.ts';
import type { ExaminedShop } from '../shop/examined-shop.ts';
import type { Situation } from '../situations/situation.ts';
import { type Case, caseOf, isDefault, isTriedAlone, situationsOf } from './case.ts';
import type { ReachedCalls } from './reached-calls.ts';
import { isCaseSelected, type Selection } from './selection.ts';
import type { IsUncovered } from './uncovered.ts';

export interface PlannedCase {
  testCase: Case;
  channel: string;
}

/** The situation that differs between channels: without a notification, the shop sends a status query, which names the channel. */
const CHANNEL_DEPENDENT_ID = 'notified-never';

/**
 * Each selected situation by itself, if the shop makes its required call, and the selected findings. Unless the user named channels,
 * only outcomes and CHANNEL_DEPENDENT_ID are tried on each channel, because a shop rarely treats channels differently.
 */
export function planCases(
  selection: Selection,
  all: readonly Situation[],
  channels: readonly string[],
  calls: ReachedCalls,
  isUncovered: IsUncovered,
): PlannedCase[] {
  const { findings, namedIds } = selection;
  const situations = all.filter((each) => !isDefault(each) || each.kind === 'outcome');
  const cases = findings.length > 0 && namedIds.length === 0 ? [] : situations.map((each) => caseOf([each]));
  const planned = cases
    .filter((testCase) => isCaseSelected(testCase, selection))
    .flatMap((testCase) => channelsFor(testCase, selection, channels, calls).map((channel) => ({ testCase, channel })))
    .toSorted((one, other) => priorityOf(one, isUncovered) - priorityOf(other, isUncovered));
  return [...planned, ...findings.filter(({ channel }) => channels.includes(channel))];
}

function channelsFor(
  testCase: Case,
  { areChannelsNamed }: Selection,
  channels: readonly string[],
  calls: ReachedCalls,
): string[] {
  const situations = situationsOf(testCase);
  const [first, ...others] = channels.filter((channel) => calls.areReached(situations, channel));
  if (first === undefined) {
    return [];
  }
  // Races and the situations of kind `alone` do not depend on the channel.
  const isTriedOnEach =
    !isTriedAlone(testCase) &&
    (areChannelsNamed || situations.every(({ id, kind }) => kind === 'outcome' || id === CHANNEL_DEPENDENT_ID));
  return isTriedOnEach ? [first, ...others] : [first];
}

/** Orders without faults first, because their violations explain those of others; then situations that the shop's tests do not cover. */
function priorityOf({ testCase, channel }: PlannedCase, isUncovered: IsUncovered): number {
  const situations = situationsOf(testCase);
  if (situations.every(({ kind }) => kind === 'outcome')) {
    return 0;
  }
  // Races and the kind `alone` are last, because they take the longest and show most if the shop is otherwise correct.
  return isTriedAlone(testCase) ? 3 : situations.some((each) => isUncovered(each, channel)) ? 1 : 2;
}

/** The reason why the situations cannot be tried; undefined if they can. */
export function missingSupportFor(
  situations: readonly Situation[],
  { webhook, adapter, shopProcess, quietPeriod }: Omit<ExaminedShop, 'client' | 'earlierOrders'>,
  hasReturnUrl = false,
): { verdict: 'not-applicable' | 'not-exercised'; note: string } | undefined {
  const races = situations.flatMap(({ race }) => race ?? []);
  const parties = new Set(races.flatMap(({ steps }) => [...partiesIn(steps)]));
  const needsWebhook = situations.some(
    ({ kind, resends, isOnlyNotified }) => kind === 'notification' || resends !== undefined || isOnlyNotified,
  );
  if (!webhook && (needsWebhook || parties.has('notification') || parties.has('first-notification'))) {
    return { verdict: 'not-applicable', note: 'the shop does not receive notifications' };
  }
  // No call is needed if the shop's job runs by itself within the stated patience.
  const runsByItself = (call: OptionalCall | undefined) => call === 'reconcile' && quietPeriod.statedMs !== undefined;
  const actions = [
    ...situations.flatMap(({ action, needs }) => [action, runsByItself(needs) ? undefined : needs]),
    ...(parties.has('reconciler') ? ['reconcile' as const] : []),
  ];
  const action = actions.find((each) => each !== undefined && !adapter[each]);
  if (action !== undefined) {
    return { verdict: 'not-applicable', note: `the adapter does not export ${action}` };
  }
  if (!shopProcess && situations.some(({ zone, race }) => zone !== undefined || (race && isKilling(race)))) {
    return {
      verdict: 'not-exercised',
      note: 'only a shop that --command starts can be killed, or run in another time zone',
    };
  }
  const note = races.map((race) => missingRaceSupport(race, adapter, hasReturnUrl)).find((each) => each !== undefined);
  return note === undefined ? undefined : { verdict: 'not-exercised', note };
}

export function pairsOf(situations: readonly Situation[]): Case[] {
  return situations.flatMap((one, index) =>
    situations
      .slice(index + 1)
      // A scenario has one behaviour.
      .filter(({ kind, behaviour }) => kind !== one.kind && (behaviour === undefined || one.behaviour === undefined))
      .map((two) => caseOf([one, two])),
  );
}

/** Puts last the cases that the shop's tests do not cover on at least one channel, because the next case is taken from the end. */
export function uncoveredLast(cases: readonly Case[], channels: readonly string[], isUncovered: IsUncovered): Case[] {
  const hasUncovered = (testCase: Case) =>
    channels.some((channel) => situationsOf(testCase).some((each) => isUncovered(each, channel)));
  return cases.toSorted((one, other) => Number(hasUncovered(one)) - Number(hasUncovered(other)));
}
