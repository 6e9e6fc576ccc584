import type { Difference, DifferencePart, DriftSide } from '../../base/schema/recordings.ts';
import type { Dimension, Looks } from './looks.ts';
import { QUERY } from './payments.ts';

/** Values of a side that are shown. */
export const SHOWN_VALUES = 3;
/** Of answers: kinds that are one difference, whichever operations and channels they were seen in. */
const EVERYWHERE = ['header', 'content-type'];
/** What may be null in a difference that is alike for all that there are of it. Of payments there is one for each channel. */
const ALIKE: Readonly<Record<DifferencePart, readonly Dimension[]>> = {
  answer: ['channel'],
  notification: ['channel', 'status', 'environment'],
  payment: [],
};
/** In this order. */
const MERGED: readonly (readonly Dimension[])[] = [ALIKE.notification, ['channel'], ['status'], ['environment']];

/** A member of a member. */
const REPEATED = /^\$\.[^.[]+\../;

/** A difference before it has a number. */
export type Counted = Omit<Difference, 'id' | 'fixtures'>;

/** Differences of which what is alike is one. */
export function mergeAlike(differences: readonly Counted[], looks: Looks): Counted[] {
  const all = withoutRepeated(differences).map((each) =>
    isEverywhere(each) ? { ...each, compared: looks.answers } : each,
  );
  return MERGED.reduce((left, dimensions) => alikeAlong(dimensions, left, looks), all);
}

/** Makes one of the differences that are alike for all channels, say, that were looked at, where the first of them stands. */
function alikeAlong(dimensions: readonly Dimension[], differences: Counted[], looks: Looks): Counted[] {
  const groups = new Map<string, Counted[]>();
  for (const each of differences) {
    const key = keyWithout(each, dimensions);
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return differences.flatMap((each) => {
    const same = groups.get(keyWithout(each, dimensions)) ?? [];
    const [first, ...others] = same;
    if (!first || others.length === 0 || same.length < looks.countAlong(dimensions, first)) {
      return [each];
    }
    return each === first ? [others.reduce(merged, first)] : [];
  });
}

/** The same for differences that are alike but for some dimensions, if these may be left out. */
function keyWithout(difference: Counted, dimensions: readonly Dimension[]): string {
  const { part, operation, channel, environment, status, kind, place } = difference;
  const where = { part, operation, channel, environment, status, kind, place, sides: sidesOf(difference) };
  const alike = dimensions.filter((name) => ALIKE[part].includes(name)).map((name) => [name, null]);
  return JSON.stringify({ ...where, ...Object.fromEntries(alike) });
}

/** What is one difference: of what is the same everywhere, its sides alone. */
export function placeOf(difference: Counted): string {
  const { part, kind, place, operation, channel, environment, status } = difference;
  return JSON.stringify(
    isEverywhere(difference)
      ? [part, kind, place, sidesOf(difference)]
      : [part, kind, place, operation, channel, environment, status],
  );
}

/** A status query repeats what initiating the payment answered, and with it the differences that this has. */
function withoutRepeated(differences: readonly Counted[]): Counted[] {
  const placeIn = (each: Counted) => JSON.stringify([placeOf({ ...each, operation: null }), sidesOf(each)]);
  const isOfQuery = ({ operation, place }: Counted) => operation === QUERY && REPEATED.test(place);
  const others = differences.filter((each) => !isOfQuery(each));
  const origins = new Map(others.toReversed().map((each) => [placeIn(each), each]));
  const repeated = new Map<Counted, Counted>();
  const alone = differences.filter((each) => {
    const origin = isOfQuery(each) ? origins.get(placeIn(each)) : undefined;
    if (origin) {
      repeated.set(origin, each);
    }
    return origin === undefined;
  });
  return alone.map((each) => {
    const again = repeated.get(each);
    return again ? { ...merged(each, again), operation: each.operation } : each;
  });
}

const isEverywhere = ({ part, kind }: Counted): boolean => part === 'answer' && EVERYWHERE.includes(kind);

/** What both sides are, with their values where these say what the difference is. */
function sidesOf({ kind, recorded, sandbox }: Pick<Counted, 'kind' | 'recorded' | 'sandbox'>): unknown[] {
  const isTold = ['missing-member', 'new-member', 'header', 'format', 'type'].includes(kind);
  return isTold ? [recorded.is, sandbox.is] : [recorded, sandbox];
}

export function merged(one: Counted, other: Counted): Counted {
  const same = <Name extends 'operation' | 'channel' | 'environment' | 'status'>(name: Name): Counted[Name] | null =>
    one[name] === other[name] ? one[name] : null;
  return {
    ...one,
    operation: same('operation'),
    channel: same('channel'),
    environment: same('environment'),
    status: same('status'),
    recorded: mergedSides(one.recorded, other.recorded),
    sandbox: mergedSides(one.sandbox, other.sandbox),
    count: one.count + other.count,
    compared: one.compared + other.compared,
  };
}

function mergedSides(one: DriftSide, other: DriftSide): DriftSide {
  const values = new Map([...one.values, ...other.values].map((value) => [JSON.stringify(value), value]));
  return {
    is: one.is,
    values: [...values.values()].slice(0, SHOWN_VALUES),
    more: one.more || other.more || values.size > SHOWN_VALUES,
  };
}
