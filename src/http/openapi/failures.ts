import type { RefusalKind } from '../../base/refusal.ts';

/** A status that an operation may refuse with. */
export interface DescribedFailure {
  status: number;
  description: string;
  example: unknown;
}

/** Refusals of whatever stands before a handler, at any entry point. */
export const OF_EVERY_CALL: readonly RefusalKind[] = [
  'invalid-field',
  'forbidden-origin',
  'session-ended',
  'too-many-sessions',
  'internal-error',
  'moved',
  'stopping',
  'storage',
  'overloaded',
  'unreadable-session',
  'outcome-unknown',
];
/** Further ones of calls that have a body. */
export const OF_BODIES: readonly RefusalKind[] = ['malformed-body', 'body-too-large', 'wrong-media-type'];

/** How an entry point refuses. */
export interface FailureForm {
  kinds: readonly RefusalKind[];
  statusOf(kind: RefusalKind): number;
  bodyOf(kind: RefusalKind, status: number, message: string): unknown;
}

const WORDS: Readonly<Record<RefusalKind, string>> = {
  'malformed-body': 'The body cannot be read.',
  'invalid-field': 'A field is missing or wrong; the message names each one.',
  'wrong-credentials': 'The merchant credentials are wrong.',
  'bad-bearer': 'The token is missing, wrong or expired.',
  'merchant-not-activated': 'The merchant is not activated and approved.',
  'forbidden-origin': 'A page of another origin cannot make this call.',
  'unknown-path': 'Nothing is served at this path.',
  'unknown-record': 'There is no such record in this session.',
  'wrong-method': 'This path takes another method.',
  conflict: 'The record is in a state that does not allow this.',
  'session-ended': 'A reset, restore or delete overtook the call, and nothing of it was kept.',
  'body-too-large': 'The body, or a part of it, is too large.',
  'wrong-media-type': 'The body is of another media type than the one asked for.',
  'business-rule': 'A rule of the business forbids it; the message says which.',
  'expectation-failed': 'The calls were not as expected.',
  'too-many-sessions': 'There are as many sessions as there may be.',
  'internal-error': 'The sandbox failed; its log says why.',
  storage: 'The change could not be written to the data file, and was rolled back; GET /_sandbox/health says why.',
  moved:
    'Nothing was done: the session is on its way to another node of the sandbox. Send the call again; Retry-After says when.',
  'outcome-unknown':
    'The call may have been done: the node or the database did not answer. Ask for a payment by its reference before it is paid again.',
  stopping: 'The sandbox is stopping.',
  overloaded: 'The system lets the sandbox open no more files and connections.',
  'unreadable-session': 'What the session kept cannot be read; the message says what, and how to go on without it.',
};

/** Each status once. A status means the same wherever an entry point answers with it. */
export function failuresOf(
  refusals: readonly RefusalKind[],
  { kinds, statusOf, bodyOf }: FailureForm,
): DescribedFailure[] {
  const statuses = [...new Set(refusals.map(statusOf))].sort((a, b) => a - b);
  return statuses.flatMap((status) => {
    const same = kinds.filter((kind) => statusOf(kind) === status);
    const [first] = same;
    const description = same.map((kind) => WORDS[kind]).join(' Or: ');
    return first === undefined ? [] : [{ status, description, example: bodyOf(first, status, WORDS[first]) }];
  });
}
