interface RefusalFacts {
  /** Never changes. */
  id: `SBX-R${number}`;
  /** The HTTP status, unless `fixtures/errors.json` changes it. */
  status: number;
  meaning: string;
  advice: string;
}

/** THE TABLE of the kinds of refusals. */
export const REFUSAL_KINDS = {
  'malformed-body': {
    id: 'SBX-R01',
    status: 400,
    meaning: 'The body cannot be parsed.',
    advice: 'Fix the syntax at the line and column that the message names.',
  },
  'invalid-field': {
    id: 'SBX-R02',
    status: 400,
    meaning: 'A field is missing or invalid; the message names each one.',
    advice: 'Each finding gives the JSON path of a field, what was expected there and what was received.',
  },
  'wrong-credentials': {
    id: 'SBX-R03',
    status: 401,
    meaning: 'The merchant credentials are wrong.',
    advice: 'Use the credentials printed at start, or those in your merchants.json.',
  },
  'bad-bearer': {
    id: 'SBX-R04',
    status: 401,
    meaning: 'The bearer token is missing, wrong or expired.',
    advice: 'Get a token from the session that you call, and a new one before it expires.',
  },
  'merchant-not-activated': {
    id: 'SBX-R05',
    status: 403,
    meaning: 'The merchant is not activated, or not approved.',
    advice: 'Use another test merchant, unless this is what you are testing.',
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
    advice: 'The message suggests the path that you most likely meant.',
  },
  'unknown-record': {
    id: 'SBX-R08',
    status: 404,
    meaning: 'This session has no such record.',
    advice: 'Check the reference, the session in the base address, and whether the session was reset.',
  },
  'wrong-method': {
    id: 'SBX-R09',
    status: 405,
    meaning: 'This path does not accept this method.',
    advice: 'Use a method that the Allow header lists.',
  },
  conflict: {
    id: 'SBX-R10',
    status: 409,
    meaning: 'The state of the record does not allow this.',
    advice: 'Check the state of the record first.',
  },
  'session-ended': {
    id: 'SBX-R11',
    status: 409,
    meaning: 'The session was reset, restored or deleted during the call, and nothing of the call was kept.',
    advice: 'Wait for calls to finish before you reset, or send the call again.',
  },
  'body-too-large': {
    id: 'SBX-R12',
    status: 413,
    meaning: 'The body, or a part of it, is too large.',
    advice: 'Send less; the message gives the limit.',
  },
  'wrong-media-type': {
    id: 'SBX-R13',
    status: 415,
    meaning: 'The body has the wrong media type.',
    advice: 'Set Content-Type to what the message names.',
  },
  'business-rule': {
    id: 'SBX-R14',
    status: 422,
    meaning: 'A business rule forbids this; the message says which.',
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
    meaning: 'The maximum number of sessions is reached.',
    advice: 'Delete sessions that you no longer need, or raise --max-sessions.',
  },
  'internal-error': {
    id: 'SBX-R17',
    status: 500,
    meaning: 'The sandbox failed; its log says why.',
    advice: 'Look in its log. The fault is not in your code.',
  },
  moved: {
    id: 'SBX-R18',
    status: 503,
    meaning:
      'Nothing was done: the session is moving to another node of the sandbox. Send the call again; Retry-After says when.',
    advice: 'Send the call again after the time that Retry-After gives.',
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
    advice: 'Free disk space, or repair the database; then send the call again.',
  },
  overloaded: {
    id: 'SBX-R21',
    status: 503,
    meaning: 'The operating system does not let the sandbox open more files or connections.',
    advice: 'Close connections, or raise the limit; then send the call again.',
  },
  'unreadable-session': {
    id: 'SBX-R22',
    status: 503,
    meaning: 'The stored data of this session cannot be read; the message says why, and how to continue without it.',
    advice: 'Repair the file where the message says, or start with --without-session. Other sessions are not affected.',
  },
  'outcome-unknown': {
    id: 'SBX-R23',
    status: 504,
    meaning:
      'The call may have taken effect: the node or the database did not answer. Query the status by the reference before you request the payment again.',
    advice: 'Ask for the payment by its reference before you initiate it again.',
  },
} as const satisfies Readonly<Record<string, RefusalFacts>>;

export type RefusalKind = keyof typeof REFUSAL_KINDS;
