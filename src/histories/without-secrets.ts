import type { Endpoint } from '../base/schema/records.ts';
import { filesIn, SHIPPED } from '../config/fixture-files.ts';
import { isSignedBy } from '../domain/merchants/access-tokens.ts';
import { secretFor } from '../domain/webhooks/endpoints.ts';
import type { AnswerEntry, HistoryEntry } from '../sessions/history-entry.ts';
import type { SessionSnapshot } from '../store/store.ts';
import type { Bundle } from './bundle.ts';
import { secretsBelow } from './found-secrets.ts';
import { StandIns } from './stand-ins.ts';

/** A bundle with stand-ins in place of secrets; `given` are those for what the sandbox gave out. */
export function withoutSecrets(bundle: Bundle, given: ReadonlyMap<string, string>): Bundle {
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
  }
  return {
    manifest: standIns.inValue(manifest),
    fixtures: fixtures.map(({ file, content }) => ({ file, content: standIns.inText(content) })),
    start: standIns.inValue(start) as SessionSnapshot,
    entries: entries.map((entry) => standIns.inEntry(entry)),
  };
}

/** What was sent as it is signed with the stand-in of its secret. */
export function signedAnew(entries: readonly HistoryEntry[], played: readonly HistoryEntry[]): HistoryEntry[] {
  const messages = new Map<string, HistoryEntry[]>();
  for (const entry of played) {
    if (entry.kind === 'sent') {
      messages.set(entry.of, [...(messages.get(entry.of) ?? []), entry]);
    }
  }
  const changed = new Map<string, string>();
  const sent = entries.map((entry) => {
    const again = entry.kind === 'sent' ? messages.get(entry.of)?.shift() : undefined;
    if (entry.kind !== 'sent' || again?.kind !== 'sent') {
      return entry;
    }
    const headers = Object.fromEntries(
      Object.entries(entry.message.headers).map(([name, value]) => [name, again.message.headers[name] ?? value]),
    );
    for (const [name, value] of Object.entries(entry.message.headers)) {
      if (headers[name] !== undefined && headers[name] !== value) {
        changed.set(value, headers[name]);
      }
    }
    const outcome = { ...(entry.outcome as object), headers };
    return { ...entry, message: { ...entry.message, headers }, outcome };
  });
  return sent.map((entry) => (entry.kind === 'answer' ? withTexts(entry, changed) : entry));
}

/** An answer that shows what was sent, as that of sending once more does. */
function withTexts(entry: AnswerEntry, changed: ReadonlyMap<string, string>): AnswerEntry {
  if (!entry.answer) {
    return entry;
  }
  const text = [...changed].reduce((left, [from, to]) => left.replaceAll(from, () => to), entry.answer.text);
  return text === entry.answer.text ? entry : { ...entry, answer: { ...entry.answer, text } };
}
