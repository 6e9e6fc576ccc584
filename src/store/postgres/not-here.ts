import { Refusal } from '../../refusal.ts';

/** How many seconds whoever is refused should wait: the session is found, or taken over, by then. */
const RETRY_AFTER = '1';

/** Nothing was done. */
export function notHere(session: string): Refusal {
  return new Refusal(
    'moved',
    `session ${session} is on its way from one node to another, or read from the database again; send the call again`,
    {
      headers: { 'Retry-After': RETRY_AFTER },
    },
  );
}

/** The database could not be asked, or refused. Nothing was done. */
export function refuseUnreachable(error: unknown): never {
  if (error instanceof Refusal) {
    throw error;
  }
  const why = error instanceof Error ? ` (${error.message})` : '';
  throw new Refusal('moved', `the database did not do what was asked of it${why}; send the call again`, {
    headers: { 'Retry-After': RETRY_AFTER },
  });
}

const LOOK = 'look whether what this call changed was kept, or send it again';

/** Nobody knows what was done, before the session is read again. */
export function lost(session: string, error: unknown): Refusal {
  const why = error instanceof Error ? ` (${error.message})` : '';
  return new Refusal(
    'moved',
    error === undefined
      ? `session ${session} may be at another node by now; ${LOOK}`
      : `what this call changed in session ${session} may not have been kept${why}; ${LOOK}`,
    { headers: { 'Retry-After': RETRY_AFTER } },
  );
}

/** Nothing was done. */
export function unkept(reason: string): Refusal {
  return new Refusal('moved', `${reason}; send the call again`, { headers: { 'Retry-After': RETRY_AFTER } });
}

/** What the database has of the session makes no sense. It is left as it is, and the other sessions run. */
export function unreadable(session: string, error: unknown): Refusal {
  const why = error instanceof Error ? error.message : String(error);
  return new Refusal(
    'unreadable-session',
    `what the database keeps of session ${session} cannot be read, and every call of it is refused (${why}). Nothing was changed.`,
  );
}
