import { NOTHING } from '../../base/compare-histories.ts';
import type { HistoryStep } from '../../base/schema/generated/control.ts';
import type { Delivery } from '../../base/schema/generated/records.ts';
import type { Steps } from '../../base/steps.ts';
import { printable } from '../../base/text/printable.ts';
import { formatUtc, type Instant } from '../../base/time.ts';
import { requestFor } from '../domain/webhooks/sender.ts';
import type { CallEntry, CallFacts, CommitEntry, HistoryEntry } from '../sessions/history-entry.ts';
import { jobNameOf } from '../sessions/job.ts';
import { RecordMasker } from './record-masker.ts';

/** Texts that may differ between sessions with equal steps, because they depend on the moment, on chance or on the session's name. */
const VARYING_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<token>'],
  [/iVBORw0KGgo[\w+/]*=*/g, '<image>'],
  [/"id":\d+/g, '"id":<number>'],
  [/(name="formToken" value=|data-version=)"[^"]*"/g, '$1"<token>"'],
  [/ in \d+ ms\b/g, ' in <number> ms'],
];
const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const AHEAD = /"ahead":(?:null|"[^"]*")/g;
/** Headers that may differ between equal calls. Warnings, for example, name earlier calls, which the log of a fork lacks. */
const VARYING_HEADERS = /^(?:webhook-(?:id|timestamp|signature)|content-length|connection|x-sandbox-warnings)$/i;

/** Calls, answers, events and notifications, with placeholders for VARYING_TEXTS. */
export function* stepsOf(entries: readonly HistoryEntry[], session: string): Steps<HistoryStep[]> {
  const calls = new Map(entries.flatMap((entry) => (entry.kind === 'call' ? [[entry.id, entry]] : [])));
  const answeredIds = new Set(entries.flatMap((entry) => (entry.kind === 'answer' ? [entry.of] : [])));
  yield;
  const normalize = createNormalizer(session);
  const masker = new RecordMasker();
  const steps: HistoryStep[] = [];
  for (const entry of entries) {
    if (entry.kind === 'call') {
      steps.push(callStep(entry, answeredIds.has(entry.id), normalize));
    } else if (entry.kind === 'commit') {
      steps.push(...commitSteps(entry, normalize, masker));
    } else {
      const call = calls.get(entry.of);
      steps.push(...(call ? [answerStep(call, entry.at, normalize)] : []));
    }
    yield;
  }
  return steps;
}

type Normalizer = (text: string) => string;

function createNormalizer(session: string): Normalizer {
  const sessionPath = new RegExp(`/s/${session.replaceAll('.', '\\.')}(?![\\w.-])`, 'g');
  const ownName = `"session":${JSON.stringify(session)}`;
  return (text) =>
    VARYING_TEXTS.reduce(
      (normalized, [pattern, replacement]) => normalized.replace(pattern, replacement),
      text.replace(sessionPath, '').replaceAll(ownName, '"session":"<session>"'),
    );
}

function callStep(call: CallEntry, hasEnded: boolean, normalize: Normalizer): HistoryStep {
  const { id, at } = call;
  // A call that has not ended cannot be described yet.
  const facts = hasEnded ? call.describe() : undefined;
  const target = facts ? normalize(`${facts.method} ${facts.path}${facts.search}`) : 'under way';
  const body = facts?.body === undefined || facts.body === '' ? NOTHING : textOf(facts.body);
  return createStep({ of: id, name: id, at, line: `${id}  ${target}` }, { call: target, 'call body': normalize(body) });
}

function answerStep(call: CallEntry, at: Instant, normalize: Normalizer): HistoryStep {
  const { id, origin } = call;
  const { answer } = call.describe();
  // Answers of control calls contain the time of the machine, and by how much the clock of the session is ahead of it.
  const normalizeAnswer: Normalizer = (text) =>
    normalize(origin === 'control' ? text.replace(INSTANT, '<instant>').replace(AHEAD, '"ahead":<duration>') : text);
  const parts = answer
    ? { status: String(answer.status), body: normalizeAnswer(answer.body), headers: normalizeAnswer(headersIn(answer)) }
    : { answer: NOTHING };
  return createStep({ of: id, name: id, at, line: `${id}  answered ${answer?.status ?? 'with nothing'}` }, parts);
}

/** The events of a commit, then the request and the answer of its delivery attempt. */
function* commitSteps(commit: CommitEntry, normalize: Normalizer, masker: RecordMasker): Iterable<HistoryStep> {
  for (const { id, at, type, subjectId, data } of commit.events) {
    const name = [type, subjectId].filter((part) => part !== null).join(' ');
    const parts = { event: name, data: normalize(JSON.stringify(masker.mask(data))) };
    yield createStep({ of: `event-${id}`, name, at, line: `event-${id}  ${name}` }, parts);
  }
  for (const { collection, id, record } of commit.changes) {
    const job = jobNameOf({ kind: 'attempt-delivery' }, { recordId: id });
    const delivery = collection === 'deliveries' && commit.cause === job ? (record as Delivery | null) : null;
    const attempt = delivery?.attempts.at(-1);
    if (delivery && attempt) {
      const { url, method, body } = requestFor(masker.mask(delivery));
      const outcome = attempt.error ?? String(attempt.status);
      const parts = { url: normalize(url), method, body: normalize(body), headers: headersIn(attempt), outcome };
      const name = `${job} (${delivery.attempts.length})`;
      yield createStep({ of: job, name, at: commit.at, line: `${job}  ${method} ${url}` }, parts);
    }
  }
}

type StepFacts = Pick<HistoryStep, 'of' | 'name' | 'line'> & { at: Instant };

function createStep({ of, name, at, line }: StepFacts, parts: Record<string, string>): HistoryStep {
  const texts = Object.entries(parts).map(([part, text]) => ({ name: part, text }));
  return { of, name, at: formatUtc(at), line: printable(line), parts: texts };
}

function textOf(body: CallFacts['body']): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}

function headersIn({ headers }: { headers: Readonly<Record<string, string>> }): string {
  return Object.entries(headers)
    .filter(([name]) => !VARYING_HEADERS.test(name))
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}
