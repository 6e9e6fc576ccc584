interface FindingFacts {
  /** Never changes. */
  id: `SBX-W${number}`;
  meaning: string;
  advice: string;
}

/** Types a table by its names only, because the literal types of its texts are not needed. */
function defineKinds<Name extends string>(
  table: Readonly<Record<Name, FindingFacts>>,
): Readonly<Record<Name, FindingFacts>> {
  return table;
}

/** THE TABLE of warnings about a single call, for which it is not refused. The kinds of refusals are in REFUSAL_KINDS. */
export const CALL_KINDS = defineKinds({
  'unknown-member': {
    id: 'SBX-W01',
    meaning: 'The body has a field that the operation does not know. It is ignored.',
    advice:
      'Check the spelling of its name: a misspelled field looks like a missing one. Remove it if it is not needed.',
  },
  'repeated-name': {
    id: 'SBX-W02',
    meaning: 'A field, a query parameter or a part of a form was sent more than once. The last one counts.',
    advice: 'Send it once: services differ in which one they use.',
  },
  'needless-member': {
    id: 'SBX-W03',
    meaning: 'A field does not belong in this body, or is null where it should be omitted. It is treated as absent.',
    advice: 'Omit it.',
  },
  'read-leniently': {
    id: 'SBX-W04',
    meaning:
      'A value has a form that only --validation lenient accepts; strict refuses it. The finding says what was expected.',
    advice: 'Send the form that is expected, and test with strict validation, the default.',
  },
  'wrong-content-type': {
    id: 'SBX-W05',
    meaning:
      'The Content-Type of the body, or of a part of it, is wrong or missing. Only --validation lenient accepts it.',
    advice:
      'Send the Content-Type, or the Content-Disposition, that is expected. Some HTTP libraries do not set it on their own.',
  },
  'more-findings': {
    id: 'SBX-W06',
    meaning: 'There are more findings than are listed.',
    advice: 'Fix those that are listed, then send the call again.',
  },
});

/** THE TABLE of findings about an integration, for which no call is refused. */
export const INTEGRATION_KINDS = defineKinds({
  'shared-reference': {
    id: 'SBX-W07',
    meaning: 'Two payments of a merchant have the same payerReference. A status query by that reference is ambiguous.',
    advice: 'Give each payment attempt its own reference, and store which order it belongs to.',
  },
  'blind-retry': {
    id: 'SBX-W08',
    meaning:
      'An initiation that got no answer was sent again under the same reference, without an answered status query for the first. The payer may pay twice.',
    advice:
      'When an initiation gets no answer, query the status by its reference, and initiate again only if there is no such payment.',
  },
  'retry-under-another-reference': {
    id: 'SBX-W09',
    meaning:
      'An initiation that got no answer was followed by one that differs only in its reference, without a status query for the first. If both are for one order, the payer may pay twice.',
    advice:
      'When an initiation gets no answer, query the status by its reference, and initiate again only if there is no such payment.',
  },
  'status-asked-too-often': {
    id: 'SBX-W10',
    meaning: 'The status of one payment was queried 60 times within a second.',
    advice: 'Wait longer before each query, and rely on notifications.',
  },
  'national-mobile-number': {
    id: 'SBX-W11',
    meaning: 'A payerMobile begins with 0, like a national number. The sandbox accepts it.',
    advice: 'Send it with the country code and without the 0, for example 263770000001.',
  },
  'empty-payer-name': {
    id: 'SBX-W12',
    meaning: 'A payment was initiated with an empty payerName. The sandbox accepts it.',
    advice: "Send the payer's name: it appears on receipts and helps to find a payment.",
  },
  'mixed-environments': {
    id: 'SBX-W13',
    meaning: 'One session uses both production paths and sandbox paths for payments.',
    advice: 'Build all paths from one setting.',
  },
  'token-for-every-call': {
    id: 'SBX-W14',
    meaning:
      'Five times in a row, a new access token was requested although the previous one was less than a minute old and had been used for only one call.',
    advice: 'Reuse the token, and request a new one shortly before it expires.',
  },
  'expired-token-again': {
    id: 'SBX-W15',
    meaning: 'An expired access token was used again, after a call with it had been refused.',
    advice: 'Request a new token before the old one expires, at the latest when it is refused.',
  },
  'key-in-address': {
    id: 'SBX-W16',
    meaning: 'A key, token or password was sent in the query string of a URL. Proxies and servers log URLs.',
    advice: 'Send secrets in the body or in a header.',
  },
  'outcome-never-learned': {
    id: 'SBX-W17',
    meaning:
      'A payment has ended, and your code has neither acknowledged a notification of its outcome nor queried its status since.',
    advice: 'Acknowledge notifications with 2xx, and query the status of payments that stay open for long.',
  },
  'slow-receiver': {
    id: 'SBX-W18',
    meaning: 'The endpoint took two seconds or longer to answer a notification, or timed out.',
    advice: 'Store the notification, answer 2xx at once, and process it afterwards.',
  },
  'redirecting-receiver': {
    id: 'SBX-W19',
    meaning: 'The endpoint answered a notification with a redirect. Providers do not follow redirects.',
    advice: 'Register the final URL, with the right scheme and trailing slash.',
  },
  'forgery-acknowledged': {
    id: 'SBX-W20',
    meaning:
      'The endpoint answered 2xx to a notification with a wrong signature or an old timestamp, forged or changed by a scenario, and did not query the status of the payment afterwards. It may have trusted the forgery.',
    advice: 'Verify the signature over the raw body, and the timestamp, or trust only the status that you query.',
  },
  'ambiguous-settle': {
    id: 'SBX-W21',
    meaning:
      'A payment was settled by a reference that several payments of the session share. The newest one was settled.',
    advice: 'Settle it by its id, which begins with payment-.',
  },
  'json-only-client': {
    id: 'SBX-W22',
    meaning:
      'The Accept header of a call takes application/json and not text/plain, but the interface answers with JSON text in text/plain. A client that reads answers by their media type fails with the real service.',
    advice:
      'Accept text/plain, too (Accept: text/plain, application/json), or send no Accept header, and parse every answer as JSON, whatever its Content-Type.',
  },
});

export const FINDING_KINDS = { ...CALL_KINDS, ...INTEGRATION_KINDS };

export type IntegrationKind = keyof typeof INTEGRATION_KINDS;
export type FindingKind = keyof typeof FINDING_KINDS;
