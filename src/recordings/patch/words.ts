import { namesIn } from '../../base/members.ts';
import type { Difference } from '../../base/schema/recordings.ts';
import { addDuration, formatDuration } from '../../base/time.ts';
import { medianOf } from '../drift/delays.ts';
import type { Entry, Evidence, Part } from './parts.ts';
import { textOn } from './parts.ts';
import { ENVELOPES } from './refusals.ts';
import type { Source } from './votes.ts';

/** The states that a payment ends in. */
export const OUTCOMES = ['Paid', 'Failed', 'Cancelled', 'Expired'] as const;
type Outcome = (typeof OUTCOMES)[number];

/** What the recording calls a state that the sandbox calls otherwise. */
export function renamedIn(differences: readonly Difference[]): { from: string; to: string; source: Source | null }[] {
  return wordsAt(differences, '$.status').filter(isOfPayment);
}

/** Whether a word is told of a payment, and not by an answer that has a member of that name. */
function isOfPayment({ difference: { part, operation } }: { difference: Difference }): boolean {
  return part === 'notification' || operation === 'getPaymentStatus';
}

function wordsAt(differences: readonly Difference[], place: string) {
  return differences.flatMap((difference) => {
    const [from, to] = [textOn(difference.recorded), textOn(difference.sandbox)];
    const isWord = difference.kind === 'word' && difference.place === place;
    return isWord && from !== undefined && to !== undefined
      ? [{ from, to, source: difference.source, difference }]
      : [];
  });
}

/** What a recorded status word stands for; undefined where nobody knows. */
export function stateOf(word: string, { fixtures, differences }: Evidence): 'Processing' | Outcome | undefined {
  const own = renamedIn(differences).find(({ from }) => from === word)?.to ?? word;
  const names = ['Processing', ...OUTCOMES] as const;
  return names.find((name) => fixtures.paymentStates[name].word.toLowerCase() === own.toLowerCase());
}

/** How a recorded status word ends a payment; undefined where it does not, or nobody knows. */
export function outcomeOf(word: string, evidence: Evidence): Outcome | undefined {
  const state = stateOf(word, evidence);
  return state === 'Processing' ? undefined : state;
}

/** Status words and what they mean, in payment-states.json. */
export function stateWords({ differences, fixtures: { paymentStates } }: Evidence): Part {
  const content: Record<string, Record<string, string>> = {};
  const entries: Entry[] = [];
  for (const member of ['word', 'description'] as const) {
    const words =
      member === 'word' ? renamedIn(differences) : wordsAt(differences, '$.description').filter(isOfPayment);
    for (const name of ['Processing', ...OUTCOMES] as const) {
      const found = words.find(({ to }) => to === paymentStates[name][member]);
      if (found) {
        content[name] = { ...content[name], [member]: found.from };
        const says = `${name} has the ${member} ${JSON.stringify(found.from)}`;
        entries.push({ file: 'payment-states.json', place: `$.${name}.${member}`, says, source: found.source });
      }
    }
  }
  return { content, entries };
}

/** Messages of operations, in operations.json. */
export function messageWords({ differences, fixtures: { operations } }: Evidence): Part {
  const content: Record<string, { messages: Record<string, string> }> = {};
  const entries: Entry[] = [];
  for (const { from, to, source, difference } of wordsAt(differences, '$.message')) {
    const operation = difference.operation ?? '';
    for (const [name, template] of Object.entries(operations.operations[operation]?.messages ?? {})) {
      if (patternOf(template).test(to)) {
        const text = template.includes('{{imageUrl}}') ? from.replace(/https?:\/\/\S+/, '{{imageUrl}}') : from;
        content[operation] = { messages: { ...content[operation]?.messages, [name]: text } };
        const place = `$.operations.${operation}.messages.${name}`;
        entries.push({ file: 'operations.json', place, says: `the message is ${JSON.stringify(text)}`, source });
      }
    }
  }
  return { content: entries.length === 0 ? {} : { operations: content }, entries };
}

function patternOf(template: string): RegExp {
  const [first = '', ...others] = template
    .split(/\{\{\w+\}\}/)
    .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${[first, ...others].join('.*')}$`);
}

/** Statuses and bodies of refusals, in errors.json. */
export function refusals({ observed, differences, fixtures: { errors } }: Evidence): Part {
  const content: Record<string, Record<string, unknown>> = {};
  const entries: Entry[] = [];
  const adopt = (
    part: 'statuses' | 'envelopes',
    name: string,
    value: unknown,
    entry: Pick<Entry, 'says' | 'source'>,
  ) => {
    content[part] = { ...content[part], [name]: value };
    entries.push({ file: 'errors.json', place: `$.${part}.${name}`, ...entry });
  };
  const known: Readonly<Record<string, unknown>> = errors.statuses;
  const isOther = differences.some((each) => each.kind === 'status');
  for (const [kind, { winner }] of isOther ? observed.refusals.statuses : []) {
    if (winner && winner.value !== known[kind]) {
      const says = `a refusal for ${kind} has the status ${winner.value}`;
      adopt('statuses', kind, winner.value, { says, source: winner.source });
    }
  }
  const envelopes: Readonly<Record<string, unknown>> = errors.envelopes;
  const others = envelopesOf(differences);
  for (const [envelope, { winner }] of observed.refusals.envelopes) {
    if (winner && others.has(envelope) && JSON.stringify(winner.value) !== JSON.stringify(envelopes[envelope])) {
      const names = Object.keys(winner.value ?? {}).join(', ');
      adopt('envelopes', envelope, winner.value, { says: `refusals have the members ${names}`, source: winner.source });
    }
  }
  return { content, entries };
}

/** The envelopes of refusals that have other members. */
function envelopesOf(differences: Evidence['differences']): Set<string | undefined> {
  const isOther = /member|type|null|order/;
  return new Set(
    differences
      .filter(({ part, status, kind }) => part === 'answer' && /^[45]xx$/.test(status ?? '') && isOther.test(kind))
      .map(({ operation }) => ENVELOPES.get(operation ?? '')),
  );
}

const OFFSETS = {
  localOffset: ['paymentTokenExpiry', 'paymentLinkStartDate', 'feesStartDate'],
  notificationOffset: ['paymentDate'],
} as const;

/** Offsets of timestamps, in times.json. */
export function offsets({ observed, fixtures: { times } }: Evidence): Part {
  const content: Record<string, string> = {};
  const entries: Entry[] = [];
  for (const name of namesIn(OFFSETS)) {
    const winner = OFFSETS[name].map((member) => observed.offsets.get(member)?.winner).find((each) => each);
    if (winner && winner.value !== times[name]) {
      content[name] = winner.value;
      const says = `timestamps have the offset ${winner.value}`;
      entries.push({ file: 'times.json', place: `$.${name}`, says, source: winner.source });
    }
  }
  return { content, entries };
}

/** A recorded lifetime that is nearer to the fixture's is the same. */
const NEAR_MS = 5000;

/** How long channels wait for the payer, by channel, in channels.json. */
export function lifetimes({ observed, fixtures: { channels } }: Evidence) {
  return channels.channels.flatMap(({ id, lifetime: before }) => {
    const seen = observed.answers.lifetimes.get(id);
    const milliseconds = medianOf(seen?.milliseconds ?? []);
    if (!seen || milliseconds === undefined || Math.abs(milliseconds - addDuration(0, before)) <= NEAR_MS) {
      return [];
    }
    return [{ id, lifetime: formatDuration(milliseconds), source: seen.source }];
  });
}
