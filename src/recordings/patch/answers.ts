import { isMembers, membersOf } from '../../base/members.ts';
import type { RecordedCall } from '../../base/schema/recordings.ts';
import { parseInstant } from '../../base/time.ts';
import type { Fixtures } from '../../config/fixtures.ts';
import type { ComparedCall } from '../drift/comparison.ts';
import { sentLeavesOf } from '../drift/sent-values.ts';
import { type Source, Votes } from './votes.ts';

/** What a payment's initiation answers with. */
const ANSWER = 'paymentInitiationResponse';

/** Operations that answer with a template of the channel. */
export const INITIATIONS = ['initiatePayment', 'initiateBulkPayment', 'requestPaymentTokenAndPay'];

/** Placeholders by the member that is sent. */
const SENT: Readonly<Record<string, string>> = {
  payerReference: 'payerReference',
  payerName: 'payerName',
  merchantId: 'merchantId',
  amount: 'amount',
  paymentCurrency: 'currency',
  paymentDescription: 'description',
};
/** Members that have a placeholder of their own name, on every channel. */
const OWN = ['paymentTokenExpiry', 'paymentProcessedDateTime', 'paymentRedirectUrl'];
/** On channels that have such a thing. */
const OWN_IF_USED = ['paymentId', 'paymentCode', 'paymentToken', 'paymentQrCode'];
/** A shorter text stands in others by chance. */
const SHORTEST_NAME = 5;

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
  source: Source;
}

interface Shape {
  members: Map<string, Votes<unknown>>;
}

/** Gathers what the initiations of payments were answered. */
export class ObservedAnswers {
  readonly #groups = new Map<string, { group: Group; shapes: Votes<string>; byShape: Map<string, Shape> }>();
  readonly #fixtures: Fixtures;
  /** By channel: how long after the call its payment expires. */
  readonly lifetimes = new Map<string, { milliseconds: number[]; source: Source }>();

  constructor(fixtures: Fixtures) {
    this.#fixtures = fixtures;
  }

  add({ recorded, operation, channel, environment }: ComparedCall, source: Source): void {
    const { answer } = recorded.exchange;
    const body = answer && answer.status < 300 && answer.body && 'json' in answer.body ? answer.body.json : null;
    const members = membersOf(body)[ANSWER];
    if (operation === null || !INITIATIONS.includes(operation) || channel === null || !isMembers(members)) {
      return;
    }
    const group = { operation, channel, environment };
    const key = JSON.stringify(group);
    const known = this.#groups.get(key) ?? { group, shapes: new Votes<string>(), byShape: new Map<string, Shape>() };
    this.#groups.set(key, known);
    const name = JSON.stringify(Object.entries(members).map(([member, value]) => [member, kindOf(value)]));
    known.shapes.add(name, source);
    const shape = known.byShape.get(name) ?? { members: new Map() };
    if (known.byShape.size < MOST_SHAPES) {
      known.byShape.set(name, shape);
    }
    this.#addLifetime(channel, lifetimeIn(members['paymentTokenExpiry'], recorded.exchange.at), source);
    const placeholders = this.#placeholdersFor(channel, recorded.exchange, members);
    for (const [member, value] of Object.entries(members)) {
      const votes = shape.members.get(member) ?? new Votes<unknown>();
      shape.members.set(member, votes);
      votes.add(templated(value, member, placeholders), source);
    }
  }

  /** One of each group: the most frequent shape, with the most frequent values. */
  get all(): RecordedAnswer[] {
    return [...this.#groups.values()].flatMap(({ group, shapes, byShape }) => {
      const { winner } = shapes;
      const members = [...(byShape.get(winner?.value ?? '')?.members ?? [])];
      const template = Object.fromEntries(members.map(([name, votes]) => [name, votes.winner?.value ?? null]));
      return winner ? [{ ...group, template, source: winner.source }] : [];
    });
  }

  #addLifetime(channel: string, lifetime: number | undefined, source: Source): void {
    const seen = this.lifetimes.get(channel) ?? { milliseconds: [], source };
    if (lifetime !== undefined && lifetime > 0 && seen.milliseconds.length < MOST_LIFETIMES) {
      this.lifetimes.set(channel, seen);
      seen.milliseconds.push(lifetime);
    }
  }

  #placeholdersFor(channel: string, call: RecordedCall, answer: Record<string, unknown>): Placeholders {
    const exact = new Map<string, string>();
    for (const { name, value } of sentLeavesOf(call)) {
      const placeholder = SENT[name];
      if (placeholder !== undefined && typeof value === 'string' && value.length >= 3 && !exact.has(value)) {
        exact.set(value, placeholder);
      }
    }
    const used = JSON.stringify(this.#fixtures.channel(channel)?.answers ?? {});
    const own = new Set([...OWN, ...OWN_IF_USED.filter((name) => used.includes(`{{${name}}}`))]);
    const within = new Map([...exact].filter(([value, name]) => name === 'payerReference' && isLong(value)));
    for (const name of ['paymentId', 'paymentCode']) {
      const value = answer[name];
      if (own.has(name) && typeof value === 'string' && isLong(value)) {
        within.set(value, name);
      }
    }
    return { exact, own, within };
  }
}

interface Placeholders {
  /** By a text that was sent. */
  exact: ReadonlyMap<string, string>;
  /** Members that have one of their own name. */
  own: ReadonlySet<string>;
  /** By a text that may stand within another one. */
  within: ReadonlyMap<string, string>;
}

function templated(value: unknown, member: string, placeholders: Placeholders): unknown {
  // An id that is no text here is another one each time all the same.
  if (placeholders.own.has(member) && (typeof value === 'number' || isMembers(value))) {
    return `{{${member}}}`;
  }
  if (typeof value === 'string' && value !== '') {
    return templatedText(value, member, placeholders);
  }
  if (Array.isArray(value)) {
    return value.map((item) => templated(item, '', placeholders));
  }
  return isMembers(value)
    ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, templated(each, '', placeholders)]))
    : value;
}

function templatedText(text: string, member: string, { exact, own, within }: Placeholders): string {
  const name = exact.get(text) ?? (own.has(member) ? member : undefined);
  if (name !== undefined) {
    return `{{${name}}}`;
  }
  const parts = [...within].reduce<string>(
    (rest, [value, placeholder]) => rest.replaceAll(value, `\u0000${placeholder}\u0001`),
    // What looks like a placeholder in the recording is none.
    text.replaceAll('{{', '\\{{'),
  );
  return parts.replaceAll('\u0000', '{{').replaceAll('\u0001', '}}');
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : value === '' ? 'empty' : Array.isArray(value) ? 'list' : typeof value;
}

const isLong = (value: string): boolean => value.length >= SHORTEST_NAME;

/** How long after the call a token expires; undefined where it is no instant. */
function lifetimeIn(expiry: unknown, at: string): number | undefined {
  if (typeof expiry !== 'string' || !/^\d{4}-\d\d-\d\dT/.test(expiry)) {
    return undefined;
  }
  try {
    return parseInstant(expiry) - parseInstant(at);
  } catch {
    return undefined;
  }
}
