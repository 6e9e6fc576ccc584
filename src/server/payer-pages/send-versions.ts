import type { ServerResponse } from 'node:http';
import { Refusal } from '../../base/refusal.ts';
import { afterMilliseconds } from '../../base/timers.ts';
import { FOLLOWED_PAGES, versionOf } from '../domain/pages/live-stream.ts';
import { WORDS } from '../domain/pages/words.ts';
import { coalesceCalls } from '../http/coalesce-calls.ts';
import { EventStream, formatMessage } from '../http/event-stream.ts';
import type { Session } from '../sessions/session.ts';

/** Events that may change what a page shows. */
const PAGE_EVENTS = /^(payment|link|session)\./;

/** Real milliseconds between two reads of a page's records, so that open pages do not slow down payments. */
const POLL_INTERVAL_MS = 100;

/**
 * Server-sent events: the current version of an open page, at once (so that no change is missed before the connection) and after
 * each change; `over` when the session ends, but not when the sandbox stops. Throws `unknown-path` for a kind of page without versions.
 */
export function sendVersions(session: Session, kind: string, key: string, response: ServerResponse): void {
  const readRecords = Object.hasOwn(FOLLOWED_PAGES, kind) ? FOLLOWED_PAGES[kind] : undefined;
  if (!readRecords) {
    throw new Refusal('unknown-path', WORDS.unknownPage);
  }
  let version = '';
  let sentVersion = '';
  const stream = new EventStream(response, 'retry: 500\n\n', () => {
    const isNew = version !== sentVersion;
    sentVersion = version;
    return isNew ? formatMessage({ data: version }) : undefined;
  });
  const sendVersion = coalesceCalls(
    async () => {
      version = versionOf(session, await session.read(async () => readRecords(session, key)));
      stream.send();
      await new Promise<void>((resolve) => afterMilliseconds(POLL_INTERVAL_MS, resolve));
    },
    () => response.destroy(),
  );
  const stopListening = session.events.listen(
    ({ type }) => {
      if (PAGE_EVENTS.test(type)) {
        sendVersion();
      }
    },
    // Tells the page of a deleted session not to connect again, because it would find no session, or create `default` again.
    () => stream.end(session.generation.hasEnded ? formatMessage({ name: 'over', data: '' }) : ''),
  );
  const stopFollowingClock = session.clock.listeners.add(sendVersion);
  stream.onClose(() => {
    stopListening();
    stopFollowingClock();
  });
  sendVersion();
}
