import type { Bench } from './bench.ts';
import { type Case, caseOf, isUsual, situationsOf } from './case.ts';
import type { Points } from './points.ts';
import { isWanted, type Selection } from './selection.ts';
import type { Situation } from './situations/situation.ts';

/** A case, and the channel that an order is placed on. */
export interface Place {
  examined: Case;
  channel: string;
}

/** Each situation by itself on each channel, as far as it is wanted and the shop comes there; and the findings that are named. */
export function placesOf(
  selection: Selection,
  all: readonly Situation[],
  channels: readonly string[],
  points: Points,
): Place[] {
  const { findings, named } = selection;
  // A good day comes first: what is broken then need not be looked for any more.
  const situations = all
    .filter((each) => !isUsual(each) || each.kind === 'outcome')
    .toSorted((one, other) => Number(isUsual(other)) - Number(isUsual(one)));
  const cases = findings.length > 0 && named.length === 0 ? [] : situations.map((each) => caseOf([each]));
  const places = cases
    .filter((examined) => isWanted(examined, selection))
    .flatMap((examined) => channels.map((channel) => ({ examined, channel })))
    .filter(({ examined, channel }) => points.areMet(situationsOf(examined), channel));
  return [...places, ...findings.filter(({ channel }) => channels.includes(channel))];
}

/** What a shop or its adapter lacks to come into the situations; undefined where it can. */
export function lackOf(
  situations: readonly Situation[],
  { webhook, adapter }: Pick<Bench, 'webhook' | 'adapter'>,
): string | undefined {
  if (!webhook && situations.some(({ kind, sendsFirstAgain }) => kind === 'notification' || sendsFirstAgain)) {
    return 'the shop takes no notifications';
  }
  const deed = situations.map((each) => each.deed).find((each) => each !== undefined && !adapter[each]);
  return deed === undefined ? undefined : `the adapter exports no function ${deed}`;
}

/** All pairs of situations of different kinds. */
export function pairsOf(situations: readonly Situation[]): Case[] {
  return situations.flatMap((one, index) =>
    situations
      .slice(index + 1)
      .filter(({ kind }) => kind !== one.kind)
      .map((two) => caseOf([one, two])),
  );
}
