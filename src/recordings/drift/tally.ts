import type { Difference, DriftSide } from '../../base/schema/generated/recordings.ts';
import type { NoiseFilter } from './noise-filter.ts';
import type { DriftContext, DriftSink, SideValue, SingleDifference } from './single-difference.ts';

const MAX_SHOWN_VALUES = 3;
const MAX_VALUE_LENGTH = 500;
/** Captures the path of the object or list that contains a member or item. */
const PARENT = /^(\$.*?)(?:\.[^.[]+|\[\])$/;
/** Kinds that are merged although their values differ, because the header, member, type or format counts. */
const SHAPE_KINDS: readonly Difference['kind'][] = ['missing-member', 'new-member', 'header', 'format', 'type'];
/** Differences that are equal except for these are merged. */
const DIMENSIONS = ['operation', 'channel', 'environment', 'status'] as const;

/** A difference without its id and fixtures, which are added when all differences are known. */
export type UnnumberedDifference = Omit<Difference, 'id' | 'fixtures'>;

interface Group {
  context: DriftContext;
  difference: SingleDifference;
  recorded: Values;
  sandbox: Values;
  count: number;
}

interface ComparedPlace {
  context: DriftContext;
  place: string;
  count: number;
}

/** Counts differences by context, place and kind. */
export class Tally {
  readonly #noise: NoiseFilter;
  readonly #groups = new Map<string, Group>();
  readonly #comparedPlaces = new Map<string, ComparedPlace>();
  comparedMembers = 0;

  constructor(noise: NoiseFilter) {
    this.#noise = noise;
  }

  sinkFor(context: DriftContext): DriftSink {
    const contextKey = contextKeyOf(context);
    return {
      countCompared: (place, isMember = false) => {
        this.comparedMembers += isMember ? 1 : 0;
        const entry = this.#comparedPlaces.get(contextKey + place) ?? { context, place, count: 0 };
        this.#comparedPlaces.set(contextKey + place, { ...entry, count: entry.count + 1 });
      },
      report: (difference) => this.#report(difference, context, `${contextKey} ${difference.kind} ${difference.place}`),
    };
  }

  #report(difference: SingleDifference, context: DriftContext, key: string): void {
    if (this.#noise.countIfNoise(difference, context)) {
      return;
    }
    const group = this.#groups.get(key) ?? {
      context,
      difference,
      recorded: new Values(),
      sandbox: new Values(),
      count: 0,
    };
    this.#groups.set(key, group);
    group.count += 1;
    group.recorded.add(difference.recorded);
    group.sandbox.add(difference.sandbox);
  }

  get differences(): UnnumberedDifference[] {
    const merged = new Map<string, UnnumberedDifference>();
    for (const difference of [...this.#groups.values()].map(differenceOf)) {
      const key = mergeKeyOf(difference);
      const previous = merged.get(key);
      merged.set(key, previous ? mergeDifferences(previous, difference) : difference);
    }
    return [...merged.values()].map((each) => ({ ...each, compared: this.#comparedCountOf(each) }));
  }

  /** How often a difference could have occurred: for a member that only one side has, as often as its object did. */
  #comparedCountOf(difference: UnnumberedDifference): number {
    const { part, kind } = difference;
    const parent = /^(?:missing|new)-member$/.test(kind) ? PARENT.exec(difference.place)?.[1] : undefined;
    const countedPlace = parent ?? difference.place;
    const places = [...this.#comparedPlaces.values()].filter(
      ({ context, place }) =>
        context.part === part &&
        place === countedPlace &&
        DIMENSIONS.every((name) => difference[name] === null || difference[name] === context[name]),
    );
    return places.reduce((sum, { count }) => sum + count, 0);
  }
}

function differenceOf({
  context: { source, ...dimensions },
  difference: { kind, place },
  recorded,
  sandbox,
  count,
}: Group): UnnumberedDifference {
  return { kind, ...dimensions, place, recorded: recorded.side, sandbox: sandbox.side, count, compared: count, source };
}

function contextKeyOf({ part, operation, channel, environment, status }: DriftContext): string {
  return JSON.stringify([part, operation, channel, environment, status]);
}

function mergeKeyOf({ part, kind, place, recorded, sandbox }: UnnumberedDifference): string {
  const sides = SHAPE_KINDS.includes(kind) ? [recorded.is, sandbox.is] : [recorded, sandbox];
  return JSON.stringify([part, kind, place, sides]);
}

function mergeDifferences(one: UnnumberedDifference, other: UnnumberedDifference): UnnumberedDifference {
  const dimensions = Object.fromEntries(DIMENSIONS.map((name) => [name, one[name] === other[name] ? one[name] : null]));
  return { ...one, ...dimensions, count: one.count + other.count };
}

class Values {
  readonly #kinds = new Set<string | null>();
  readonly #shown = new Map<string, unknown>();
  #hasMore = false;

  add(side: SideValue): void {
    this.#kinds.add(side.is);
    if (!('value' in side)) {
      return;
    }
    const value = clip(side.value);
    const text = JSON.stringify(value);
    if (this.#shown.size < MAX_SHOWN_VALUES) {
      this.#shown.set(text, value);
    }
    this.#hasMore ||= !this.#shown.has(text);
  }

  get side(): DriftSide {
    const is = [...this.#kinds].filter((kind) => kind !== null);
    return { is: is.length === 0 ? null : is.join(' or '), values: [...this.#shown.values()], more: this.#hasMore };
  }
}

/** Shortens a long value, which bounds memory. */
function clip(value: unknown): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : value;
}
