import type { Endpoint } from '../../base/schema/records.ts';
import type { Steps } from '../../base/steps.ts';
import { filesIn, SHIPPED } from '../config/fixture-files.ts';
import { isSignedBy } from '../domain/merchants/access-tokens.ts';
import { secretFor } from '../domain/webhooks/endpoints.ts';
import type { AnswerEntry, HistoryEntry } from '../sessions/history-entry.ts';
import type { SessionSnapshot } from '../store/store.ts';
import type { Bundle } from './bundle.ts';
import { secretsBelow } from './found-secrets.ts';
import { StandIns } from './stand-ins.ts';
import { TextIndex } from './text-index.ts';

/** A bundle with stand-ins in place of secrets, made in steps; `given` are those for what the sandbox gave out. */
export function* withoutSecrets(bundle: Bundle, given: ReadonlyMap<string, string>): Steps<Bundle> {
  const { manifest, fixtures, start, entries } = bundle;
  const { seed } = start.state;
  const shipped = filesIn(SHIPPED).flatMap(({ content }) =>
    secretsBelow(JSON.parse(content)).map(({ secret }) => secret),
  );
  const isDerived = ({ secret, url }: Pick<Endpoint, 'secret' | 'url'>) => secret === secretFor(seed, url);
  const standIns = new StandIns(shipped, given, (token) => isSignedBy(seed, token));
  const { merchants = [], endpoints = [], deliveries = [] } = start;
  const ownDeliveries = deliveries.filter(({ secret, url }) => secret !== null && !isDerived({ secret, url }));
  standIns.learn({
    merchants,
    endpoints: endpoints.filter((endpoint) => !isDerived(endpoint)),
    deliveries: ownDeliveries.map(({ secret, url }) => ({ secret, url })),
    settings: manifest.settings,
  });
  for (const { content } of fixtures) {
    standIns.learn(JSON.parse(content));
  }
  for (const entry of entries) {
    standIns.learnFrom(entry);
    yield;
  }
  yield* standIns.prepare();
  const replaced: HistoryEntry[] = [];
  for (const entry of entries) {
    replaced.push(standIns.inEntry(entry));
    yield;
  }
  return {
    manifest: standIns.inValue(manifest),
    fixtures: fixtures.map(({ file, content }) => ({ file, content: standIns.inText(content) })),
    start: standIns.inValue(start) as SessionSnapshot,
    entries: replaced,
  };
}

/** What was sent as it is signed with the stand-in of its secret. */
export function* signedAnew(entries: readonly HistoryEntry[], played: readonly HistoryEntry[]): Steps<HistoryEntry[]> {
  const messages = new Map<string, HistoryEntry[]>();
  for (const entry of played) {
    if (entry.kind === 'sent') {
      messages.set(entry.of, [...(messages.get(entry.of) ?? []), entry]);
    }
  }
  yield;
  const changed = new Map<string, string>();
  const index = new TextIndex();
  const sent: HistoryEntry[] = [];
  for (const entry of entries) {
    const again = entry.kind === 'sent' ? messages.get(entry.of)?.shift() : undefined;
    if (entry.kind !== 'sent' || again?.kind !== 'sent') {
      sent.push(entry);
      continue;
    }
    const headers = Object.fromEntries(
      Object.entries(entry.message.headers).map(([name, value]) => [name, again.message.headers[name] ?? value]),
    );
    for (const [name, value] of Object.entries(entry.message.headers)) {
      if (headers[name] !== undefined && headers[name] !== value) {
        changed.set(value, headers[name]);
        index.add(value);
      }
    }
    const outcome = { ...(entry.outcome as object), headers };
    sent.push({ ...entry, message: { ...entry.message, headers }, outcome });
    yield;
  }
  const signed: HistoryEntry[] = [];
  for (const entry of sent) {
    signed.push(entry.kind === 'answer' && changed.size > 0 ? withTexts(entry, changed, index) : entry);
    yield;
  }
  return signed;
}

/** An answer that shows what was sent, as that of sending once more does. */
function withTexts(entry: AnswerEntry, changed: ReadonlyMap<string, string>, index: TextIndex): AnswerEntry {
  if (!entry.answer) {
    return entry;
  }
  const { text } = entry.answer;
  const pieces: string[] = [];
  let copied = 0;
  for (let found = index.next(text, 0); found; found = index.next(text, copied)) {
    pieces.push(text.slice(copied, found.index), changed.get(found.found) ?? found.found);
    copied = found.index + found.found.length;
  }
  return pieces.length === 0
    ? entry
    : { ...entry, answer: { ...entry.answer, text: pieces.join('') + text.slice(copied) } };
}
