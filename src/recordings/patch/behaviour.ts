import type { BehaviourFixture } from '../../base/schema/fixtures.ts';
import { medianOf } from '../drift/delays.ts';
import { AS_RECORDED, type Entry, type Evidence } from './parts.ts';
import { type ObservedDelivery, type Span, settledOf } from './payments.ts';
import { durationOf, type Source } from './votes.ts';
import { outcomeOf } from './words.ts';

type Notifications = NonNullable<BehaviourFixture['notifications']>;
type Hash = NonNullable<Notifications['hash']>;

const FILE = `behaviours/${AS_RECORDED}.json`;
/** What is within a second came at once. */
const AT_ONCE_MS = 1000;
const MOST_RETRIES = 20;
/** No recording shows which fields a hash is over; these are what the shipped behaviour with a hash has. */
const HASHED: Hash['fields'] = ['paymentReference', 'paymentAmount', 'paymentCurrency', 'status'];

/** How the recorded service notifies and how late it tells, where that differs. */
export interface Behaving {
  notifications: Notifications;
  statusQuery: { lag: string } | undefined;
  entries: Entry[];
  /** What cannot be adopted, and why. */
  notes: string[];
}

export function behaviourOf(evidence: Evidence): Behaving {
  const found: Behaving = { notifications: {}, statusQuery: undefined, entries: [], notes: [] };
  const has = (...kinds: string[]) => evidence.differences.some(({ kind }) => kinds.includes(kind));
  if (has('method')) {
    addMethod(evidence, found);
  }
  if (has('signature')) {
    addProof(evidence, found);
  }
  if (has('attempts', 'spacing')) {
    addRetries(evidence, found);
  }
  if (has('delay', 'sequence', 'word', 'notification')) {
    addLags(evidence, found);
  }
  return found;
}

function say(found: Behaving, member: string, says: string, source: Source | null): void {
  found.entries.push({ file: FILE, place: `$.${member}`, says, source });
}

function addMethod({ observed, ...evidence }: Evidence, found: Behaving): void {
  const { winner } = observed.methods;
  if (winner?.value === (usualIn(evidence).method ?? 'POST')) {
    found.notes.push('Only some notifications come by another method; a behaviour has one for all.');
  } else if (winner?.value === 'POST' || winner?.value === 'PUT') {
    found.notifications.method = winner.value;
    say(found, 'notifications.method', `notifications come by ${winner.value}`, winner.source);
  } else if (winner) {
    found.notes.push(`Notifications by ${winner.value} cannot be adopted: a behaviour has POST or PUT.`);
  }
}

/** How notifications come in the sandbox now. */
function usualIn({ fixtures, behaviour }: Pick<Evidence, 'fixtures' | 'behaviour'>): Notifications {
  return fixtures.behaviours.get(behaviour)?.notifications ?? {};
}

function addProof({ observed, ...evidence }: Evidence, found: Behaving): void {
  const { winner } = observed.proofs;
  if (!winner) {
    return;
  }
  const { is, value } = winner.value;
  const header = /^header (.*)$/.exec(is ?? '')?.[1];
  if (header === undefined) {
    const proof = is === 'no signature' ? 'none' : 'standard-webhooks';
    if (proof === (usualIn(evidence).proof ?? 'standard-webhooks')) {
      found.notes.push('Only some notifications have another proof; a behaviour has one for all.');
      return;
    }
    found.notifications.proof = proof;
    say(found, 'notifications.proof', `the proof of notifications is ${proof}`, winner.source);
    return;
  }
  const length = /^hexadecimal text of (\d+) characters$/.exec(String(value))?.[1];
  const algorithm = length === '64' ? 'sha256' : length === '128' || value === 'masked' ? 'sha512' : undefined;
  if (algorithm === undefined || !/^x-[a-z0-9-]{1,62}$/.test(header) || !header.includes('hash')) {
    found.notes.push(
      `The proof in the header ${header} cannot be adopted: a behaviour has Standard Webhooks, a hexadecimal hash in a header such as x-hash, or none.`,
    );
    return;
  }
  found.notifications.proof = 'hash';
  found.notifications.hash = { algorithm, header, fields: HASHED };
  say(found, 'notifications.hash', `a hash in the header ${header} proves notifications`, winner.source);
  found.notes.push(
    `Which fields the hash in ${header} covers no recording shows: correct \`fields\` in ${FILE}${value === 'masked' ? ', and the algorithm, since the hash was masked' : ''}.`,
  );
}

/** Gaps after attempts that failed, in their order, and how many there are, where most notifications show the same. */
function addRetries({ observed, fixtures, ...evidence }: Evidence, found: Behaving): void {
  const failed = observed.payments.all
    .flatMap(({ deliveries }) => [...deliveries.values()])
    .filter(({ attempts }) => attempts[0]?.isTaken === false)
    .map((delivery) => ({ ...delivery, gaps: gapsAfterFailures(delivery) }));
  const most = Math.max(0, ...failed.map(({ gaps }) => gaps.length));
  const count = mostRetries(failed);
  const spacing = Array.from({ length: Math.min(MOST_RETRIES, count ?? most) }, (_, index) =>
    commonIn(failed.flatMap(({ gaps }) => gaps[index] ?? [])),
  );
  const [first] = failed;
  if (!first || spacing.includes(undefined) || (count === undefined && most === 0)) {
    found.notes.push('Notifications are tried again in different ways; a behaviour has one for all.');
    return;
  }
  const seen = spacing.map((gap) => durationOf(gap ?? 0));
  const { retries } = usualIn({ fixtures, ...evidence });
  const usual =
    retries?.flatMap(({ times, after }) => Array<string>(times).fill(after)) ?? fixtures.times.webhookRetries;
  const later = count === undefined ? usual.slice(seen.length, MOST_RETRIES) : [];
  found.notifications.retries = runsIn([...seen, ...later]);
  const says =
    seen.length === 0 ? 'a notification is sent once' : `a failed notification is tried again after ${seen.join(', ')}`;
  say(found, 'notifications.retries', says, first.source);
}

/** How often most are tried again before they are given up; undefined where more were not given up yet. */
function mostRetries(
  failed: readonly { attempts: ObservedDelivery['attempts']; gaps: number[] }[],
): number | undefined {
  const givenUp = failed.filter(({ attempts }) => attempts.at(-1)?.isTaken === false);
  const taken = failed.length - givenUp.length;
  const fitting = (count: number) =>
    failed.filter((each) => (givenUp.includes(each) ? each.gaps.length === count : each.gaps.length <= count)).length;
  const counts = [...new Set(givenUp.map(({ gaps }) => gaps.length))];
  const [best] = counts.sort((one, other) => fitting(other) - fitting(one));
  return best !== undefined && fitting(best) > taken ? best : undefined;
}

/** The median of times of which more than half are near it. */
function commonIn(gaps: readonly number[]): number | undefined {
  const median = medianOf(gaps) ?? 0;
  const near = gaps.filter((gap) => Math.abs(gap - median) <= Math.max(AT_ONCE_MS, median / 5));
  return near.length * 2 > gaps.length ? median : undefined;
}

function runsIn(spacing: readonly string[]): { times: number; after: string }[] {
  const runs: { times: number; after: string }[] = [];
  for (const after of spacing) {
    const last = runs.at(-1);
    if (last?.after === after) {
      last.times += 1;
    } else {
      runs.push({ times: 1, after });
    }
  }
  return runs;
}

function gapsAfterFailures({ attempts }: ObservedDelivery): number[] {
  return attempts.slice(1).flatMap(({ at }, index) => {
    const before = attempts[index];
    return before && !before.isTaken ? [at - before.at] : [];
  });
}

/** How much later one of notification and status query knows of an outcome than the other. */
function addLags(evidence: Evidence, found: Behaving): void {
  const isEnd = (word: string) => outcomeOf(word, evidence) !== undefined;
  const ends = evidence.observed.payments.all.flatMap((payment) => {
    const end = settledOf(payment, isEnd);
    return end ? [{ ...end, source: payment.source }] : [];
  });
  const lag = between(ends.flatMap((each) => each.lag ?? []));
  const delay = between(ends.flatMap((each) => each.delay ?? []));
  const source = (name: 'lag' | 'delay') => ends.find((each) => (each[name]?.least ?? 0) > AT_ONCE_MS)?.source ?? null;
  if (lag === 'mixed') {
    found.notes.push('The status query is late for some payments only; a behaviour has one lag for all.');
  }
  if (delay === 'mixed') {
    found.notes.push('Notifications are late for some payments only; a behaviour has one delay for all.');
  }
  if (typeof lag === 'number') {
    found.statusQuery = { lag: durationOf(lag) };
    say(found, 'statusQuery.lag', `the status query is ${durationOf(lag)} late`, source('lag'));
  }
  if (typeof delay === 'number') {
    found.notifications.delay = durationOf(delay);
    say(found, 'notifications.delay', `a notification comes ${durationOf(delay)} after the outcome`, source('delay'));
  }
}

/** A time that fits all spans; undefined where all came at once, `mixed` where no time fits. */
function between(spans: readonly Span[]): number | 'mixed' | undefined {
  const [least, most] = [Math.max(0, ...spans.map((span) => span.least)), Math.min(...spans.map((span) => span.most))];
  if (least <= AT_ONCE_MS) {
    return undefined;
  }
  return least >= most ? 'mixed' : Math.min(least + AT_ONCE_MS, (least + most) / 2);
}
