/** A kind of "no": the id that never changes, the HTTP status unless `fixtures/errors.json` says otherwise, what it means and what to do. */
interface KindFacts {
  id: `SBX-R${number}`;
  status: number;
  meaning: string;
  advice: string;
}

/** THE TABLE of the kinds of "no" that the sandbox can say. */
export const REFUSAL_KINDS = {
  'malformed-body': {
    id: 'SBX-R01',
    status: 400,
    meaning: 'The body cannot be read.',
    advice: 'Send it in the right syntax: the message names line and column.',
  },
  'invalid-field': {
    id: 'SBX-R02',
    status: 400,
    meaning: 'A field is missing or wrong; the message names each one.',
    advice: 'Each finding names a field by its JSON path, what is expected there and what came.',
  },
  'wrong-credentials': {
    id: 'SBX-R03',
    status: 401,
    meaning: 'The merchant credentials are wrong.',
    advice: 'Use the credentials that the start prints, or those in your merchants.json.',
  },
  'bad-bearer': {
    id: 'SBX-R04',
    status: 401,
    meaning: 'The token is missing, wrong or expired.',
    advice: 'Ask for a token where you call, and again before it expires.',
  },
  'merchant-not-activated': {
    id: 'SBX-R05',
    status: 403,
    meaning: 'The merchant is not activated and approved.',
    advice: 'Use another test merchant, unless this is what you test.',
  },
  'forbidden-origin': {
    id: 'SBX-R06',
    status: 403,
    meaning: 'A page of another origin cannot make this call.',
    advice: 'Call from a server, or from a page of the sandbox.',
  },
  'unknown-path': {
    id: 'SBX-R07',
    status: 404,
    meaning: 'Nothing is served at this path.',
    advice: 'The message names the path that is meant most likely.',
  },
  'unknown-record': {
    id: 'SBX-R08',
    status: 404,
    meaning: 'There is no such record in this session.',
    advice: 'Look at the reference, the session of the base address, and whether the session was reset.',
  },
  'wrong-method': {
    id: 'SBX-R09',
    status: 405,
    meaning: 'This path takes another method.',
    advice: 'Use one of those that the header Allow names.',
  },
  conflict: {
    id: 'SBX-R10',
    status: 409,
    meaning: 'The record is in a state that does not allow this.',
    advice: 'Look at the record first: what it allows depends on its state.',
  },
  'session-ended': {
    id: 'SBX-R11',
    status: 409,
    meaning: 'A reset, restore or delete overtook the call, and nothing of it was kept.',
    advice: 'Wait for calls to end before you reset, or make the call again.',
  },
  'body-too-large': {
    id: 'SBX-R12',
    status: 413,
    meaning: 'The body, or a part of it, is too large.',
    advice: 'Send less; the message says how much is taken.',
  },
  'wrong-media-type': {
    id: 'SBX-R13',
    status: 415,
    meaning: 'The body is of another media type than the one asked for.',
    advice: 'Set Content-Type to what the message names.',
  },
  'business-rule': {
    id: 'SBX-R14',
    status: 422,
    meaning: 'A rule of the business forbids it; the message says which.',
    advice: 'The findings name the rule and the values that break it.',
  },
  'expectation-failed': {
    id: 'SBX-R15',
    status: 422,
    meaning: 'The calls were not as expected.',
    advice: 'The details show how many matched, and the nearest of those that did not.',
  },
  'too-many-sessions': {
    id: 'SBX-R16',
    status: 429,
    meaning: 'There are as many sessions as there may be.',
    advice: 'Delete those that are over, or raise --max-sessions.',
  },
  'internal-error': {
    id: 'SBX-R17',
    status: 500,
    meaning: 'The sandbox failed; its log says why.',
    advice: "Its log says why. It is not your code's fault.",
  },
  moved: {
    id: 'SBX-R18',
    status: 503,
    meaning:
      'Nothing was done: the session is on its way to another node of the sandbox. Send the call again; Retry-After says when.',
    advice: 'Send the call again, as soon as Retry-After says.',
  },
  stopping: {
    id: 'SBX-R19',
    status: 503,
    meaning: 'The sandbox is stopping.',
    advice: 'Start it again, or call another node.',
  },
  storage: {
    id: 'SBX-R20',
    status: 503,
    meaning: 'The change could not be written to the data file, and was rolled back; GET /_sandbox/health says why.',
    advice: 'Make room, or mend the database; then call again.',
  },
  overloaded: {
    id: 'SBX-R21',
    status: 503,
    meaning: 'The system lets the sandbox open no more files and connections.',
    advice: 'Close connections, or let the system open more; then call again.',
  },
  'unreadable-session': {
    id: 'SBX-R22',
    status: 503,
    meaning: 'What the session kept cannot be read; the message says what, and how to go on without it.',
    advice: 'Mend the file where the message says, or start with --without-session. Other sessions are not affected.',
  },
  'outcome-unknown': {
    id: 'SBX-R23',
    status: 504,
    meaning:
      'The call may have been done: the node or the database did not answer. Ask for a payment by its reference before it is paid again.',
    advice: 'Ask for the payment by its reference before you initiate it again.',
  },
} as const satisfies Readonly<Record<string, KindFacts>>;

export type RefusalKind = keyof typeof REFUSAL_KINDS;
