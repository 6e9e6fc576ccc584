/**
 * The data model at one glance: each collection with the fields that records are found by (besides their id).
 * A field whose value is null or absent is not indexed.
 */
export const COLLECTIONS = {
  merchants: { indexes: [] },
  payments: { indexes: ['paymentId', 'payerReference', 'paymentCode', 'originId', 'payerMobile', 'formId'] },
  payouts: { indexes: ['payerReference'] },
  links: { indexes: ['token', 'reference'] },
  images: { indexes: [] },
  recurringPayments: { indexes: ['reference'] },
  paymentTokens: { indexes: ['token', 'reference'] },
  endpoints: { indexes: [] },
  deliveries: { indexes: ['subjectId'] },
  scenarios: { indexes: [] },
  faultCounts: { indexes: [] },
} as const;
