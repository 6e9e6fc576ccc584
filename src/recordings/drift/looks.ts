import { ANSWER, BODY, type Context, type Seen } from './seen.ts';

/** What holds a member, or the items of a list. */
const AROUND = /^(\$.*?)(?:\.[^.[]+|\[\])$/;
const DIMENSIONS = ['channel', 'status', 'environment'] as const;

/** What tells contexts apart that may show the same. */
export type Dimension = (typeof DIMENSIONS)[number];

/** Where differences may be. */
type Where = Omit<Context, 'source' | 'renamed'> & { place: string };

interface Look {
  context: Context;
  place: string;
  count: number;
}

/** Of a context: the same for exchanges that are counted together. */
export function nameOf({ part, operation, channel, environment, status, renamed }: Context): string {
  return JSON.stringify([part, operation, channel, environment, status, renamed]);
}

/** How often places were looked at, in which contexts. */
export class Looks {
  readonly #all = new Map<string, Look>();
  readonly #most: number;

  /** `most` places are told apart; those that come later count for none. */
  constructor(most: number) {
    this.#most = most;
  }

  /** `name`: of the context. */
  add(context: Context, name: string, place: string): void {
    const key = `${name} ${place}`;
    const look = this.#all.get(key);
    if (look) {
      look.count += 1;
    } else if (this.#all.size < this.#most) {
      this.#all.set(key, { context, place, count: 1 });
    }
  }

  /** How often something could have been seen: a status in any answer, a member wherever its object was, the rest at its place. */
  comparedWith(context: Context, { kind, place }: Pick<Seen, 'kind' | 'place'>): number | undefined {
    const at = (where: Context, here: string) => this.#all.get(`${nameOf(where)} ${here}`)?.count;
    const around = /^(?:missing|new)-member$/.test(kind) ? AROUND.exec(place)?.[1] : undefined;
    const wider = kind === 'status' ? at({ ...context, status: null }, ANSWER) : at(context, around ?? place);
    return wider ?? at(context, place);
  }

  /** Answers whose headers were compared. */
  get answers(): number {
    const bodies = [...this.#all.values()].filter(({ context, place }) => context.part === 'answer' && place === BODY);
    return bodies.reduce((sum, { count }) => sum + count, 0);
  }

  /** How many channels, say, were looked at where a difference could have been. */
  countAlong(dimensions: readonly Dimension[], where: Where): number {
    const around = AROUND.exec(where.place)?.[1];
    const found = [...this.#all.values()].filter(
      ({ context, place }) =>
        context.part === where.part &&
        (around === undefined || around === place) &&
        context.operation === (where.operation ?? context.operation) &&
        DIMENSIONS.every((name) => dimensions.includes(name) || context[name] === (where[name] ?? context[name])),
    );
    return new Set(found.map(({ context }) => JSON.stringify(dimensions.map((name) => context[name])))).size;
  }
}
