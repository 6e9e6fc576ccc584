import type { HistoryEntry } from '../sessions/history-entry.ts';
import type { Bundle } from './bundle.ts';
import { type Difference, firstDifference } from './differences.ts';
import { entriesUntil } from './steps.ts';

/** Two histories, from where they could differ on. */
export interface Comparison {
  difference: Difference | undefined;
  one: readonly HistoryEntry[];
  other: readonly HistoryEntry[];
}

/** Compares two sessions, of which one may be a fork of the other: what was before the fork is both's. */
export function compareBundles(one: Bundle, other: Bundle): Comparison {
  const [first, second] = [ownEntries(one, other), ownEntries(other, one)];
  const difference = firstDifference(masked(first, one), masked(second, other));
  return { difference, one: first, other: second };
}

/** Without what was before the other was forked from it. */
function ownEntries({ entries, manifest }: Bundle, { start }: Bundle): readonly HistoryEntry[] {
  const { forkedFrom } = start.state;
  if (forkedFrom?.session !== manifest.session) {
    return entries;
  }
  return entries.slice(entriesUntil(entries, forkedFrom.at)?.length ?? 0);
}

const JWT = /eyJ[\w-]+\.[\w-]+\.[\w-]+/g;
const PNG = /iVBORw0KGgo[\w+/=]*/g;
const EVENT_ID = /"id":\d+/g;

/** Without what differs wherever sessions do: their names, what is made of those, and the numbers of events. */
function masked(entries: readonly HistoryEntry[], { manifest }: Bundle): HistoryEntry[] {
  const inAddresses = new RegExp(`/s/${manifest.session.replaceAll('.', '\\.')}(?![\\w.-])`, 'g');
  const mask = (text: string) =>
    text
      .replace(inAddresses, '')
      .replaceAll(`"session":${JSON.stringify(manifest.session)}`, '"session":"<session>"')
      .replace(JWT, '<token>')
      .replace(PNG, '<image>')
      .replace(EVENT_ID, '"id":<number>');
  return entries.map((entry) => {
    if (entry.kind === 'call') {
      return { ...entry, target: mask(entry.target), body: entry.body && Buffer.from(mask(entry.body.toString())) };
    }
    if (entry.kind === 'answer' && entry.answer) {
      return { ...entry, answer: { ...entry.answer, text: mask(entry.answer.text) } };
    }
    if (entry.kind === 'sent') {
      const { message } = entry;
      const headers = Object.fromEntries(Object.entries(message.headers).filter(([name]) => !NEVER_ALIKE.test(name)));
      return { ...entry, message: { ...message, url: mask(message.url), body: mask(message.body), headers } };
    }
    return entry;
  });
}

/** Made of the session's name, or of the moment by the machine's clock. */
const NEVER_ALIKE = /^webhook-(?:id|timestamp|signature)$/;
