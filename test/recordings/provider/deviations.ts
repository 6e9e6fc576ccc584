/** How drift must report a deviation of the provider. */
export interface ExpectedDifference {
  kind: string;
  /** The member or header; undefined for other differences. */
  place?: string;
  /** Null if the difference does not depend on a channel. */
  channel: string | null;
}

const INITIATION = '$.paymentInitiationResponse';

/** THE TABLE of ways in which the provider can differ from the sandbox. A member that the provider lacks is new in the sandbox. */
export const DEVIATIONS = {
  'missing-member': { kind: 'new-member', place: `${INITIATION}.paymentQrCode`, channel: 'qr-wallet' },
  'new-member': { kind: 'missing-member', place: `${INITIATION}.transactionFee`, channel: 'mobile-money' },
  'empty-text': { kind: 'null-or-empty', place: `${INITIATION}.paymentToken`, channel: 'card-switch' },
  'status-word': { kind: 'word', place: `${INITIATION}.status`, channel: 'mobile-money' },
  'description-words': { kind: 'word', place: `${INITIATION}.paymentTokenDescription`, channel: 'card-network-a' },
  'format-of-instant': { kind: 'format', place: `${INITIATION}.paymentTokenExpiry`, channel: 'qr-wallet' },
  'type-of-code': { kind: 'type', place: `${INITIATION}.paymentCode`, channel: 'qr-wallet' },
  'form-of-address': { kind: 'format', place: `${INITIATION}.paymentRedirectUrl`, channel: 'card-network-b' },
  order: { kind: 'order', place: '$', channel: null },
  'new-header': { kind: 'header', place: 'x-request-cost', channel: null },
  'refusal-status': { kind: 'status', channel: null },
  'content-type': { kind: 'content-type', channel: null },
  'no-answer': { kind: 'no-answer', channel: 'mobile-money' },
  'words-of-payout': { kind: 'word', place: '$.message', channel: null },
  'wrong-interval': { kind: 'word', place: '$[].paymentIntervalDuration', channel: null },
  'amount-as-text': { kind: 'type', place: '$.paymentLink.paymentLinkAmount', channel: null },
  'nested-null': { kind: 'type', place: '$.paymentLink.paymentLinkIsActive', channel: null },
  'other-outcome': { kind: 'sequence', channel: 'card-network-b' },
  delay: { kind: 'delay', channel: 'mobile-money' },
  'status-lags': { kind: 'delay', channel: 'qr-wallet' },
  unsigned: { kind: 'signature', channel: 'mobile-money' },
  'by-put': { kind: 'method', channel: 'qr-wallet' },
  'one-attempt': { kind: 'attempts', channel: 'card-switch' },
  'slow-retries': { kind: 'spacing', channel: 'card-network-a' },
  doubled: { kind: 'attempts', channel: 'mobile-money' },
  'notification-without-charges': { kind: 'new-member', place: '$.paymentCharges', channel: 'qr-wallet' },
  'notification-amount-as-text': { kind: 'type', place: '$.paymentAmount', channel: 'card-switch' },
} as const satisfies Record<string, ExpectedDifference>;

export type Deviation = keyof typeof DEVIATIONS;
