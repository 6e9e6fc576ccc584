import type { HistoryStep } from '../../base/schema/control.ts';
import type { Steps } from '../../base/steps.ts';
import type { HistoryEntry } from '../sessions/history-entry.ts';
import { withoutInstants } from './differences.ts';
import { stepsOf } from './steps.ts';

const JWT = /eyJ[\w-]+\.[\w-]+\.[\w-]+/g;
const PNG = /iVBORw0KGgo[\w+/=]*/g;
const EVENT_ID = /"id":\d+/g;
/** Made of the session's name, or of the moment by the machine's clock. */
const NEVER_ALIKE = /^webhook-(?:id|timestamp|signature)$/;

/** Steps without what differs wherever sessions do: their names, what is made of those, and the numbers of events. */
export function* comparableSteps(entries: readonly HistoryEntry[], session: string): Steps<HistoryStep[]> {
  const inAddresses = new RegExp(`/s/${session.replaceAll('.', '\\.')}(?![\\w.-])`, 'g');
  const mask = (text: string) =>
    text
      .replace(inAddresses, '')
      .replaceAll(`"session":${JSON.stringify(session)}`, '"session":"<session>"')
      .replace(JWT, '<token>')
      .replace(PNG, '<image>')
      .replace(EVENT_ID, '"id":<number>');
  const steps = yield* stepsOf(
    entries.map((entry) => (entry.kind === 'sent' ? withoutMarks(entry) : entry)),
    (text, origin) => (origin === 'control' ? withoutInstants(text) : text),
  );
  const masked: HistoryStep[] = [];
  for (const step of steps) {
    masked.push({ ...step, parts: step.parts.map(({ name, text }) => ({ name, text: mask(text) })) });
    yield;
  }
  return masked;
}

type Sent = Extract<HistoryEntry, { kind: 'sent' }>;

function withoutMarks(entry: Sent): Sent {
  const { message } = entry;
  const headers = Object.fromEntries(Object.entries(message.headers).filter(([name]) => !NEVER_ALIKE.test(name)));
  return { ...entry, message: { ...message, headers } };
}
