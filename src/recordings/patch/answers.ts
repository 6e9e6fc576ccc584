import { isMembers, membersOf } from '../../base/members.ts';
import type { Fixtures } from '../../config/fixtures.ts';
import { jsonOf } from '../body.ts';
import type { ComparedCall } from '../drift/answer-comparison.ts';
import { clockOf, lifetimeOf } from '../drift/lifetimes.ts';
import { AnswerTexts, isPlaceholder } from './answer-texts.ts';
import { type Source, Votes } from './votes.ts';

/** What a payment's initiation answers with. */
const ANSWER = 'paymentInitiationResponse';

/** Operations that answer with a template of the channel. */
export const INITIATIONS = ['initiatePayment', 'initiateBulkPayment', 'requestPaymentTokenAndPay'];

/** Members that have a placeholder of their own name, on every channel. */
const OWN = ['paymentTokenExpiry', 'paymentProcessedDateTime', 'paymentRedirectUrl'];
/** On channels that have such a thing. */
const OWN_IF_USED = ['paymentId', 'paymentCode', 'paymentToken', 'paymentQrCode'];

/** Answers that are told apart by their members in each group. */
const MOST_SHAPES = 100;
/** Of each channel: the first so many. */
const MOST_LIFETIMES = 1000;

/** Which payments are answered in one way. */
export interface Group {
  operation: string;
  channel: string | null;
  environment: ComparedCall['environment'];
}

/** The answer that a group of payments has, as a template. */
export interface RecordedAnswer extends Group {
  template: Record<string, unknown>;
  /** Members that the template has as the sandbox answers them, or not at all. */
  notAdopted: NotAdopted[];
  source: Source;
}

interface NotAdopted {
  member: string;
  /** Whether it is another one each time; otherwise it names values of one payment. */
  isVarying: boolean;
}

/** A member as a template; undefined where it names values of one payment. */
interface Seen {
  template: unknown;
}

interface Shape {
  members: Map<string, Votes<Seen>>;
  latest: Source;
}

/** Gathers what the initiations of payments were answered. */
export class ObservedAnswers {
  readonly #groups = new Map<string, { group: Group; byShape: Map<string, Shape> }>();
  readonly #fixtures: Fixtures;
  /** By channel: how long after the call its payment expires. */
  readonly lifetimes = new Map<string, { milliseconds: number[]; source: Source }>();

  constructor(fixtures: Fixtures) {
    this.#fixtures = fixtures;
  }

  add({ recorded, operation, channel, environment }: ComparedCall, source: Source): void {
    const { answer } = recorded.exchange;
    const members = answer && answer.status < 300 ? membersOf(jsonOf(answer.body))[ANSWER] : undefined;
    if (operation === null || !INITIATIONS.includes(operation) || channel === null || !isMembers(members)) {
      return;
    }
    const group = { operation, channel, environment };
    const key = JSON.stringify(group);
    const known = this.#groups.get(key) ?? { group, byShape: new Map<string, Shape>() };
    this.#groups.set(key, known);
    const name = JSON.stringify(Object.entries(members).map(([member, value]) => [member, kindOf(value)]));
    const shape: Shape = known.byShape.get(name) ?? { members: new Map(), latest: source };
    shape.latest = source.at < shape.latest.at ? shape.latest : source;
    if (known.byShape.size < MOST_SHAPES) {
      known.byShape.set(name, shape);
    }
    this.#addLifetime(channel, lifetimeOf(members['paymentTokenExpiry'], clockOf(recorded.exchange)), source);
    const texts = new AnswerTexts(recorded.exchange, members, this.#ownOf(channel));
    for (const [member, value] of Object.entries(members)) {
      const votes = shape.members.get(member) ?? new Votes<Seen>();
      shape.members.set(member, votes);
      votes.add({ template: texts.templateOf(value, member) }, source);
    }
  }

  /** One of each group: the latest shape, with the values that all calls have. */
  get all(): RecordedAnswer[] {
    return [...this.#groups.values()].map(({ group, byShape }) => {
      const shapes = [...byShape.values()];
      const latest = shapes.reduce((one, other) => (other.latest.at > one.latest.at ? other : one));
      const own = this.#fixtures.channel(group.channel ?? '')?.answers.default ?? {};
      const template: Record<string, unknown> = {};
      const notAdopted: NotAdopted[] = [];
      for (const [name, votes] of latest.members) {
        const [usual, ...others] = votes.all;
        const known = usual?.value.template;
        if (known !== undefined && (others.length === 0 || isPlaceholder(known))) {
          template[name] = known;
          continue;
        }
        notAdopted.push({ member: name, isVarying: others.length > 0 });
        if (Object.hasOwn(own, name)) {
          template[name] = own[name];
        }
      }
      return { ...group, template, notAdopted, source: latest.latest };
    });
  }

  #addLifetime(channel: string, lifetime: number | undefined, source: Source): void {
    const seen = this.lifetimes.get(channel) ?? { milliseconds: [], source };
    if (lifetime !== undefined && lifetime > 0 && seen.milliseconds.length < MOST_LIFETIMES) {
      this.lifetimes.set(channel, seen);
      seen.milliseconds.push(lifetime);
    }
  }

  /** Members that have a placeholder of their own name on a channel. */
  #ownOf(channel: string): ReadonlySet<string> {
    const used = JSON.stringify(this.#fixtures.channel(channel)?.answers ?? {});
    return new Set([...OWN, ...OWN_IF_USED.filter((name) => used.includes(`{{${name}}}`))]);
  }
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : value === '' ? 'empty' : Array.isArray(value) ? 'list' : typeof value;
}
