import { messageOf } from '../../base/errors.ts';
import { OutcomeUnknown, Refusal } from '../../base/refusal.ts';
import { isRefused } from './database.ts';

/** How many seconds whoever is refused should wait: the session is found, or taken over, by then. */
const RETRY_AFTER = '1';

/** Nothing was done. */
export function notHere(session: string): Refusal {
  return unkept(`session ${session} is on its way from one node to another, or read from the database again`);
}

/** The database could not be asked, or refused. Nothing was done. */
export function refuseUnreachable(error: unknown): never {
  throw error instanceof Refusal ? error : unkept(`the database did not do what was asked of it${because(error)}`);
}

/** Nothing was done: the database was not asked, or has said that it did not take it. */
export function notKept(session: string, error: unknown): Refusal {
  return error === undefined ? notHere(session) : unkept(`session ${session} could not be changed${because(error)}`);
}

/** The database was asked to change the session, and failed: whether it has done it may be open. */
export function failed(session: string, error: unknown): Refusal {
  if (isRefused(error)) {
    return notKept(session, error);
  }
  return new OutcomeUnknown(`the database has not confirmed it${because(error)}`, notHere(session));
}

/** Nothing was done. */
export function unkept(reason: string): Refusal {
  return new Refusal('moved', `${reason}; send the call again`, { headers: { 'Retry-After': RETRY_AFTER } });
}

/** What the database has of the session makes no sense. It is left as it is, and the other sessions run. */
export function unreadable(session: string, error: unknown): Refusal {
  const why = messageOf(error);
  return new Refusal(
    'unreadable-session',
    `what the database keeps of session ${session} cannot be read, and every call of it is refused (${why}). Nothing was changed.`,
  );
}

function because(error: unknown): string {
  return error instanceof Error ? `: ${error.message}` : '';
}
