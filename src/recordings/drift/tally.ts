import type { Difference, DifferencePart, DriftSide } from '../../base/schema/recordings.ts';
import { BODY } from './compare-messages.ts';
import type { NoiseFilter } from './noise-rules.ts';
import type { Context, Renamed, Seen, SeenSide, Sink } from './seen.ts';

/** Differences that are kept apart, so that members with ever new names do not fill the memory. */
const MOST_GROUPS = 5000;
/** Distinct values that are told apart to know whether a value varies. */
const MOST_VALUES = 50;
const SHOWN_VALUES = 3;
/** Characters of a value that are kept. */
const LONGEST_VALUE = 500;
/** Of answers: kinds that are one difference, whichever operations and channels they were seen in. */
const EVERYWHERE = ['header', 'content-type'];
type Dimension = 'channel' | 'status' | 'environment';

/** What may be null in a difference that is alike for all that there are of it. Of payments there is one for each channel. */
const ALIKE: Readonly<Record<DifferencePart, readonly Dimension[]>> = {
  answer: ['channel'],
  notification: ['channel', 'status', 'environment'],
  payment: [],
};
/** In this order. */
const MERGED: readonly (readonly Dimension[])[] = [ALIKE.notification, ['channel'], ['status'], ['environment']];

/** A difference before it has a number. */
export type Counted = Omit<Difference, 'id' | 'fixture'>;

/** How often a place was looked at. */
interface Look {
  context: Context;
  place: string;
  count: number;
}

interface Group {
  context: Context;
  seen: Seen;
  recorded: Values;
  sandbox: Values;
  count: number;
}

/** Counts what is seen, by context, place and kind. */
export class Tally {
  readonly #filter: NoiseFilter;
  readonly #groups = new Map<string, Group>();
  readonly #looks = new Map<string, Look>();
  /** Members that were compared. */
  members = 0;
  /** Differences that were seen beyond those that can be kept apart. */
  dropped = 0;

  constructor(filter: NoiseFilter) {
    this.#filter = filter;
  }

  /** What takes up the differences in a context. */
  sinkFor(context: Context): Sink {
    const name = nameOf(context);
    return {
      looked: (place, isMember = false) => {
        this.members += isMember ? 1 : 0;
        const key = `${name} ${place}`;
        const look = this.#looks.get(key) ?? { context, place, count: 0 };
        look.count += 1;
        if (this.#looks.has(key) || this.#looks.size < MOST_GROUPS) {
          this.#looks.set(key, look);
        }
      },
      saw: (seen) => this.#saw(seen, context, name),
    };
  }

  #saw(seen: Seen, context: Context, name: string): void {
    if (this.#filter.takes(seen, context)) {
      return;
    }
    const key = `${name} ${seen.place} ${seen.kind}`;
    let group = this.#groups.get(key);
    if (!group) {
      if (this.#groups.size >= MOST_GROUPS) {
        this.dropped += 1;
        return;
      }
      group = { context, seen, recorded: new Values(), sandbox: new Values(), count: 0 };
      this.#groups.set(key, group);
    }
    group.count += 1;
    group.recorded.add(seen.recorded);
    group.sandbox.add(seen.sandbox);
  }

  /** Differences that count. Those seen under another status word do, where that is another name for the same status. */
  differences(isRenamed: (renamed: Renamed) => boolean): { counted: Counted[]; explained: Context[] } {
    const counted = new Map<string, Counted>();
    const explained: Context[] = [];
    for (const group of this.#groups.values()) {
      const { context, seen, count } = group;
      if (context.renamed && !isRenamed(context.renamed)) {
        explained.push(context);
        continue;
      }
      const compared = this.#looks.get(`${nameOf(context)} ${seen.place}`)?.count ?? count;
      const isVarying = isVaryingIn(group, compared);
      if (isVarying && this.#filter.takes(seen, context, { times: count, isVarying })) {
        continue;
      }
      const difference = differenceOf(group, compared);
      const key = placeOf(difference);
      const before = counted.get(key);
      counted.set(key, before ? merged(before, difference) : difference);
    }
    const all = [...counted.values()].map((each) => (isEverywhere(each) ? { ...each, compared: this.#answers } : each));
    return { counted: MERGED.reduce((left, dimensions) => this.#alike(left, dimensions), all), explained };
  }

  /** Answers whose headers were compared. */
  get #answers(): number {
    const bodies = [...this.#looks.values()].filter(
      ({ context, place }) => context.part === 'answer' && place === BODY,
    );
    return bodies.reduce((sum, { count }) => sum + count, 0);
  }

  /** Makes one of the differences that are alike for all channels, say, that were looked at, where the first of them stands. */
  #alike(differences: Counted[], dimensions: readonly Dimension[]): Counted[] {
    const groups = new Map<string, Counted[]>();
    for (const each of differences) {
      const key = keyWithout(each, dimensions);
      groups.set(key, [...(groups.get(key) ?? []), each]);
    }
    return differences.flatMap((each) => {
      const same = groups.get(keyWithout(each, dimensions)) ?? [];
      const [first, ...others] = same;
      if (!first || others.length === 0 || same.length < this.#lookedAt(first, dimensions)) {
        return [each];
      }
      return each === first ? [others.reduce(merged, first)] : [];
    });
  }

  /** How many channels, say, were looked at where a difference could have been. */
  #lookedAt(difference: Counted, dimensions: readonly Dimension[]): number {
    const around = AROUND.exec(difference.place)?.[1];
    const found = [...this.#looks.values()].filter(
      ({ context, place }) =>
        context.part === difference.part &&
        (around === undefined || around === place) &&
        context.operation === (difference.operation ?? context.operation) &&
        ALIKE.notification.every(
          (name) => dimensions.includes(name) || context[name] === (difference[name] ?? context[name]),
        ),
    );
    return new Set(found.map(({ context }) => JSON.stringify(dimensions.map((name) => context[name])))).size;
  }
}

/** The same for differences that are alike but for one thing, if that may be left out. */
function keyWithout(difference: Counted, dimensions: readonly Dimension[]): string {
  const { part, operation, channel, environment, status, kind, place } = difference;
  const where = { part, operation, channel, environment, status, kind, place, sides: sidesOf(difference) };
  const alike = dimensions.filter((name) => ALIKE[part].includes(name)).map((name) => [name, null]);
  return JSON.stringify({ ...where, ...Object.fromEntries(alike) });
}

/** What holds a member, or the items of a list. */
const AROUND = /^(\$.*?)(?:\.[^.[]+|\[\])$/;
/** A member of a member. */
const REPEATED = /^\$\.[^.[]+\../;

function nameOf({ part, operation, channel, environment, status, renamed }: Context): string {
  return JSON.stringify([part, operation, channel, environment, status, renamed]);
}

/** Whether the value was another one in each of several exchanges on both sides, as a number or a text with digits is. */
function isVaryingIn({ seen, recorded, sandbox, count }: Group, compared: number): boolean {
  return (
    ['word', 'header'].includes(seen.kind) &&
    !seen.place.includes('[]') &&
    count > 1 &&
    count === compared &&
    [recorded, sandbox].every((values) => values.isVarying(count))
  );
}

function differenceOf({ context, seen, recorded, sandbox, count }: Group, compared: number): Counted {
  const { renamed: _, source, ...where } = context;
  return {
    kind: seen.kind,
    ...where,
    place: seen.place,
    recorded: recorded.side,
    sandbox: sandbox.side,
    count,
    compared,
    source,
  };
}

/**
 * What is one difference: of what is the same everywhere, its sides alone. What stands deeper in an answer is the same in a later one
 * that repeats it, as that of a status query repeats what initiating the payment answered.
 */
function placeOf(difference: Counted): string {
  const { part, kind, place, recorded, sandbox, operation, channel, environment, status } = difference;
  const sides = sidesOf({ kind, recorded, sandbox });
  return JSON.stringify(
    isEverywhere(difference)
      ? [part, kind, place, sides]
      : [part, kind, place, channel, environment, status, REPEATED.test(place) ? sides : operation],
  );
}

const isEverywhere = ({ part, kind }: Counted): boolean => part === 'answer' && EVERYWHERE.includes(kind);

/** What both sides are, with their values where these say what the difference is. */
function sidesOf({ kind, recorded, sandbox }: Pick<Counted, 'kind' | 'recorded' | 'sandbox'>): unknown[] {
  const isTold = ['missing-member', 'new-member', 'header', 'format', 'type'].includes(kind);
  return isTold ? [recorded.is, sandbox.is] : [recorded, sandbox];
}

function merged(one: Counted, other: Counted): Counted {
  const same = <Name extends 'operation' | 'channel' | 'environment' | 'status'>(name: Name): Counted[Name] | null =>
    one[name] === other[name] ? one[name] : null;
  return {
    ...one,
    operation: REPEATED.test(one.place) ? one.operation : same('operation'),
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

/** The distinct values of a side. */
class Values {
  readonly #kinds = new Set<string | null>();
  readonly #texts = new Set<string>();
  #shown: unknown[] = [];
  #isMore = false;

  add(side: SeenSide): void {
    this.#kinds.add(side.is);
    if (!('value' in side)) {
      return;
    }
    const value = clipped(side.value);
    const text = JSON.stringify(value);
    if (this.#texts.has(text)) {
      return;
    }
    if (this.#texts.size < MOST_VALUES) {
      this.#texts.add(text);
    }
    if (this.#shown.length < SHOWN_VALUES) {
      this.#shown.push(value);
    } else {
      this.#isMore = true;
    }
  }

  isVarying(count: number): boolean {
    return this.#shown.every(canVary) && this.#texts.size >= Math.min(count, MOST_VALUES);
  }

  get side(): DriftSide {
    const is = [...this.#kinds].filter((kind) => kind !== null);
    return { is: is.length === 0 ? null : is.join(' or '), values: this.#shown, more: this.#isMore };
  }
}

/** A short code is a word, however many of them there are, and an amount follows from what was asked for. */
function canVary(value: unknown): boolean {
  return typeof value === 'number' ? Number.isInteger(value) && value >= 1000 : /^(?=.*\d).{4}/.test(String(value));
}

/** A value as it is kept: of a long text the beginning. */
function clipped(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.length > LONGEST_VALUE ? `${value.slice(0, LONGEST_VALUE)}…` : value;
  }
  const text = JSON.stringify(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : value;
}
