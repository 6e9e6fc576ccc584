import { messageOf } from '../../base/errors.ts';
import { OutcomeUnknown, Refusal } from '../../base/refusal.ts';
import { hasNoEffect } from './database.ts';

const RETRY_AFTER_SECONDS = '1';

/** The refusal of a call whose session is not on this node. Nothing was done. */
export function movedRefusal(session: string): Refusal {
  return retryRefusal(
    `session ${session} is on its way from one node to another, or is being read from the database again`,
  );
}

/** Throws a refusal for a database that was not reachable or reported an error. No data of a session was changed. */
export function refuseUnreachable(error: unknown): never {
  throw error instanceof Refusal ? error : retryRefusal(`the database did not execute a query${errorSuffix(error)}`);
}

/** The refusal of a change that was not sent to the database, or that the database rejected. Nothing was done. */
export function changeRefusal(session: string, error: unknown): Refusal {
  return error === undefined
    ? movedRefusal(session)
    : retryRefusal(`session ${session} could not be changed${errorSuffix(error)}`);
}

/** The refusal of a change that was sent to the database: OutcomeUnknown, unless the database reported that it had no effect. */
export function commitRefusal(session: string, error: unknown): Refusal {
  if (hasNoEffect(error)) {
    return changeRefusal(session, error);
  }
  return new OutcomeUnknown(`the database has not confirmed it${errorSuffix(error)}`, movedRefusal(session));
}

/** Asks to send the call again, because nothing was done. */
export function retryRefusal(reason: string): Refusal {
  return new Refusal('moved', `${reason}; send the call again`, { headers: { 'Retry-After': RETRY_AFTER_SECONDS } });
}

/** The refusal of a call whose session has invalid data. The data is not changed, so that it can be examined. */
export function unreadableRefusal(session: string, error: unknown): Refusal {
  const reason = messageOf(error);
  return new Refusal(
    'unreadable-session',
    `the stored data of session ${session} cannot be read, and every call of it is refused (${reason}). Nothing was changed.`,
  );
}

function errorSuffix(error: unknown): string {
  return error instanceof Error ? `: ${error.message}` : '';
}
