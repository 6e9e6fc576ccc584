import type { DriftSide } from '../../base/schema/recordings.ts';
import { type Counted, mergeAlike, merged, placeOf, SHOWN_VALUES } from './alike.ts';
import { isDrawn } from './formats.ts';
import { Looks, nameOf } from './looks.ts';
import type { NoiseFilter } from './noise-rules.ts';
import type { Context, Renamed, Seen, SeenSide, Sink } from './seen.ts';

/** Differences that are kept apart, so that members with ever new names do not fill the memory. */
const MOST_GROUPS = 5000;
/** Distinct values that are told apart to know whether a value varies. */
const MOST_VALUES = 50;
/** Characters of a value that are kept. */
const LONGEST_VALUE = 500;
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
  readonly #looks = new Looks(MOST_GROUPS);
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
        this.#looks.add(context, name, place);
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
  differences(isRenamed: (renamed: Renamed) => boolean): Counted[] {
    const counted = new Map<string, Counted>();
    for (const group of this.#groups.values()) {
      const { context, seen, count } = group;
      if (context.renamed && !isRenamed(context.renamed)) {
        continue;
      }
      const compared = this.#looks.comparedWith(context, seen) ?? count;
      const isVarying = isVaryingIn(group, compared);
      if (isVarying && this.#filter.takes(seen, context, { times: count, isVarying })) {
        continue;
      }
      const difference = differenceOf(group, compared);
      const key = placeOf(difference);
      const before = counted.get(key);
      counted.set(key, before ? merged(before, difference) : difference);
    }
    return mergeAlike([...counted.values()], this.#looks);
  }
}

/**
 * Whether the value was another one in each of several exchanges on both sides, as a number or a text with digits is, or looked otherwise
 * now and then, as an id that is drawn by chance does.
 */
function isVaryingIn({ seen, recorded, sandbox, count }: Group, compared: number): boolean {
  if (seen.kind === 'format') {
    return count < compared && [recorded, sandbox].every((values) => values.isDrawn);
  }
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

  get isDrawn(): boolean {
    return [...this.#kinds].every((kind) => isDrawn(kind ?? ''));
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
