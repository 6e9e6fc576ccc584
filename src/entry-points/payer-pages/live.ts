import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Refusal } from '../../base/refusal.ts';
import type { Payment, PaymentLink } from '../../base/schema/records.ts';
import { EventStream, textOf } from '../../http/event-stream.ts';
import { inTurn } from '../../http/in-turn.ts';
import type { Session } from '../../sessions/session.ts';
import { pathsOf } from './paths.ts';
import { linkOf } from './way-back.ts';

/** Events that may change what a page shows. */
const FOLLOWED = /^(payment|link|session)\./;

/** What an open page shows, and so follows. */
export type Shown = readonly (Payment | PaymentLink | undefined)[];

/** What a page can follow, by the key that its stream's address carries: each with all that such a page shows. */
const SUBJECTS: Readonly<Record<string, (session: Session, key: string) => Promise<Shown>>> = {
  payment: async (session, id) => {
    const payment = await session.get('payments', id);
    return payment ? [payment, await linkOf(session, payment)] : [];
  },
  phone: async (session, mobile) => {
    const payments = await session.find('payments', 'payerMobile', mobile);
    return [...payments, ...(await Promise.all(payments.map((payment) => linkOf(session, payment))))];
  },
  link: (session, token) => session.find('links', 'token', token),
};

/** Where a page hears of changes, and which version of its subject it shows itself. */
export interface Live {
  address: string;
  version: string;
}

export function follow(session: Session, kind: 'payment' | 'phone' | 'link', key: string, shown: Shown): Live {
  return { address: pathsOf(session).versions(kind, key), version: versionOf(session, shown) };
}

/**
 * A short text that differs whenever a page about these records would look different: after a reset they are others, and by
 * another clock less time is left.
 */
function versionOf({ generation, clock }: Session, shown: Shown): string {
  const records = shown.filter((record) => record !== undefined);
  const facts = records.map((record) =>
    'state' in record
      ? `${record.id} ${record.state} ${record.failedTries} ${record.afterwards?.length}`
      : JSON.stringify(record),
  );
  const text = [String(generation.number), JSON.stringify(clock.setting), ...[...new Set(facts)].sort()].join('\n');
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

/**
 * Server-sent events: the version that an open page should show, at once (so that nothing is missed between page and
 * connection) and whenever it changes; `over` when there will be no more. Throws `unknown-path` for a kind of page that follows nothing.
 */
export function sendVersions(session: Session, kind: string, key: string, response: ServerResponse): void {
  const read = Object.hasOwn(SUBJECTS, kind) ? SUBJECTS[kind] : undefined;
  if (!read) {
    throw new Refusal('unknown-path', 'There is no such page.');
  }
  let version = '';
  let sent = '';
  const stream = new EventStream(response, 'retry: 500\n\n', () => {
    const isNew = version !== sent;
    sent = version;
    return isNew ? textOf({ data: version }) : undefined;
  });
  const catchUp = inTurn(
    async () => {
      version = versionOf(session, await session.read(() => read(session, key)));
      stream.send();
    },
    () => response.destroy(),
  );
  const stop = session.events.listen(
    ({ type }) => {
      if (FOLLOWED.test(type)) {
        catchUp();
      }
    },
    // Whoever connects again makes a session, and one that was deleted must not come back by that.
    () => stream.end(session.generation.ended ? textOf({ name: 'over', data: '' }) : ''),
  );
  const stopFollowing = session.clock.follow(catchUp);
  stream.onClose(() => {
    stop();
    stopFollowing();
  });
  catchUp();
}
