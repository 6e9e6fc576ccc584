import { createHash } from 'node:crypto';
import type { Response } from 'express';
import type { Payment } from '../schema/records.ts';
import type { Session } from '../sessions/session.ts';

/** What an open page watches: one payment, or all those of a phone. */
export type Subject = { payment: string } | { mobile: string };

/** A short text that differs whenever a page about these payments would look different. */
export function versionOf(payments: readonly Payment[]): string {
  const facts = payments.map(({ id, state, failedTries }) => `${id} ${state} ${failedTries}`);
  return createHash('sha256').update(facts.join('\n')).digest('base64url').slice(0, 16);
}

/**
 * Tells an open page the version that it should show: at once, so that nothing is missed between page and connection, and
 * whenever it changes. Server-sent events.
 */
export async function sendVersions(session: Session, subject: Subject, response: Response): Promise<void> {
  response.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  response.flushHeaders();
  let sent = '';
  const send = async () => {
    const version = versionOf(await watched(session, subject));
    if (version !== sent) {
      sent = version;
      response.write(`data: ${version}\n\n`);
    }
  };
  const stop = session.events.listen(
    ({ type }) => {
      if (type.startsWith('payment.')) {
        void send();
      }
    },
    () => response.end(),
  );
  response.on('close', stop);
  await send();
}

async function watched(session: Session, subject: Subject): Promise<Payment[]> {
  if ('mobile' in subject) {
    return session.find('payments', 'payerMobile', subject.mobile);
  }
  const payment = await session.get('payments', subject.payment);
  return payment ? [payment] : [];
}
