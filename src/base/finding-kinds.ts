/** A kind of finding: the id that never changes, what was seen, why it matters and what to do. */
interface KindFacts {
  id: `SBX-W${number}`;
  meaning: string;
  advice: string;
}

/** THE TABLE of what the sandbox can find that refuses nothing. What refuses a call is a kind of refusal. */
export const FINDING_KINDS = {
  'unknown-member': {
    id: 'SBX-W01',
    meaning: 'The body has a member that the operation does not know. It is passed over.',
    advice: 'Look for a misspelled name, which may be why a value is missed; take out what is not needed.',
  },
  'repeated-name': {
    id: 'SBX-W02',
    meaning: 'A member, a query parameter or a part of a form came several times. The last one counts.',
    advice: 'Send it once: which of several counts differs from service to service.',
  },
  'needless-member': {
    id: 'SBX-W03',
    meaning: 'A member came that is not carried here, or is null although it may be absent. It is read as absent.',
    advice: 'Leave it out.',
  },
  'read-leniently': {
    id: 'SBX-W04',
    meaning:
      'A value has a form that only --validation lenient takes; strict refuses it. The finding says what was expected.',
    advice: 'Send the form that is expected, and test with strict validation, which is the default.',
  },
  'wrong-content-type': {
    id: 'SBX-W05',
    meaning:
      'The body, or a part of it, calls itself something else than it is, or nothing at all. Only --validation lenient takes it.',
    advice: 'Send the Content-Type, or the Content-Disposition, that is expected. Some HTTP libraries must be told.',
  },
  'more-findings': {
    id: 'SBX-W06',
    meaning: 'There are more findings than are told one by one.',
    advice: 'Mend those that are told, then send it again.',
  },
} as const satisfies Record<string, KindFacts>;

export type FindingKind = keyof typeof FINDING_KINDS;
