/** A kind of finding: the id that never changes, what was seen, why it matters and what to do. */
interface KindFacts {
  id: `SBX-W${number}`;
  meaning: string;
  advice: string;
}

/** A table by its names alone: the texts need not be told again as types. */
function kinds<Name extends string>(table: Readonly<Record<Name, KindFacts>>): Readonly<Record<Name, KindFacts>> {
  return table;
}

/** THE TABLE of what the sandbox can find in one call that refuses nothing. What refuses a call is a kind of refusal. */
export const CALL_KINDS = kinds({
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
});

/** THE TABLE of what the sandbox can find in how a merchant's code works with it, though no call is refused for it. */
export const INTEGRATION_KINDS = kinds({
  'shared-reference': {
    id: 'SBX-W07',
    meaning:
      'Two payments of a merchant have the same payerReference. Whoever asks by it cannot tell which one is meant.',
    advice: 'Give each attempt to pay a reference of its own, and keep which order it is for.',
  },
  'blind-retry': {
    id: 'SBX-W08',
    meaning:
      'An initiation that got no answer was sent again under the same reference, though nobody had asked what became of the first. The payer may pay twice.',
    advice:
      'After an initiation without an answer, ask for the status by its reference, and initiate again only where there is no such payment.',
  },
  'retry-under-another-reference': {
    id: 'SBX-W09',
    meaning:
      'An initiation that got no answer was followed by one that differs in its reference alone, though nobody had asked what became of the first. Where both are for one order, the payer may pay twice.',
    advice:
      'After an initiation without an answer, ask for the status by its reference, and initiate again only where there is no such payment.',
  },
  'status-asked-too-often': {
    id: 'SBX-W10',
    meaning: 'The status of one payment was asked for 60 times within a second.',
    advice: 'Wait between two questions, longer each time, and let notifications tell you.',
  },
  'national-mobile-number': {
    id: 'SBX-W11',
    meaning: 'A payerMobile begins with 0, as a number does that is dialled within a country. The sandbox takes it.',
    advice: 'Send it with the country code and without the 0, such as 263770000001.',
  },
  'empty-payer-name': {
    id: 'SBX-W12',
    meaning: 'A payment was initiated with an empty payerName. The sandbox takes it.',
    advice: "Send the payer's name: it stands on receipts and helps to find a payment again.",
  },
  'mixed-environments': {
    id: 'SBX-W13',
    meaning: 'Payments are initiated or asked for by production paths and by sandbox paths in one session.',
    advice: 'Take all paths from one setting.',
  },
  'token-for-every-call': {
    id: 'SBX-W14',
    meaning:
      'Five times in a row a new access token was fetched, though the one before was less than a minute old and had served a single call.',
    advice: 'Keep the token, and fetch another shortly before it expires.',
  },
  'expired-token-again': {
    id: 'SBX-W15',
    meaning: 'A call came with an access token that had expired, though a call before it was refused for that.',
    advice: 'Fetch a new token once one is refused, and better before it expires.',
  },
  'key-in-address': {
    id: 'SBX-W16',
    meaning:
      'A key, token or password came in the query of an address. Addresses are logged by proxies and servers on the way.',
    advice: 'Send secrets in the body or in a header.',
  },
  'outcome-never-learned': {
    id: 'SBX-W17',
    meaning:
      'A payment is over, and so far the code has neither acknowledged a notification of that nor asked for the status since.',
    advice: 'Acknowledge notifications with 2xx, and ask for the status of what stays open for long.',
  },
  'slow-receiver': {
    id: 'SBX-W18',
    meaning: 'The receiver of notifications took two seconds or longer to answer, or did not in time.',
    advice: 'Keep the notification, answer 2xx at once, and do the work afterwards.',
  },
  'redirecting-receiver': {
    id: 'SBX-W19',
    meaning: 'The receiver of notifications answered with a redirect. Providers do not follow redirects.',
    advice: 'Give the final address, with its scheme and its slash at the end.',
  },
  'forgery-acknowledged': {
    id: 'SBX-W20',
    meaning:
      'The receiver answered 2xx to a notification with a wrong signature or an old timestamp, which a scenario had forged or changed, and nobody asked for the status of the payment afterwards. It may have been believed.',
    advice: 'Verify the signature over the raw body, or believe nothing but the status that you ask for.',
  },
  'ambiguous-settle': {
    id: 'SBX-W21',
    meaning: 'A payment was settled by a reference that several payments of the session share. The newest was taken.',
    advice: 'Settle it by its id, such as payment-3.',
  },
});

/** All kinds of findings. */
export const FINDING_KINDS = { ...CALL_KINDS, ...INTEGRATION_KINDS };

export type IntegrationKind = keyof typeof INTEGRATION_KINDS;
export type FindingKind = keyof typeof FINDING_KINDS;
