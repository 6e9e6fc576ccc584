/**
 * The data model at one glance: each collection with the fields that records are found by (besides their id), and those by
 * whose values they are counted. A field whose value is null or absent is not indexed; what is counted is always there.
 */
export const COLLECTIONS = {
  merchants: { indexes: [], counted: [] },
  payments: {
    indexes: ['paymentId', 'payerReference', 'paymentCode', 'originId', 'payerMobile', 'formId', 'payerKey'],
    counted: ['channel', 'state'],
  },
  payouts: { indexes: ['payerReference'], counted: ['state'] },
  settlements: { indexes: ['latestOf'], counted: ['state'] },
  links: { indexes: ['token', 'reference'], counted: [] },
  images: { indexes: [], counted: [] },
  recurringPayments: { indexes: ['reference'], counted: ['state'] },
  paymentTokens: { indexes: ['token', 'reference'], counted: [] },
  shopCodes: { indexes: ['reference'], counted: [] },
  endpoints: { indexes: [], counted: [] },
  deliveries: { indexes: ['subjectId'], counted: ['state'] },
  scenarios: { indexes: [], counted: [] },
  faultCounts: { indexes: [], counted: [] },
} as const;
