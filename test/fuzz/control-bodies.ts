/** A valid body for each schema of a control operation's body. */
export const CONTROL_BODIES: Readonly<Record<string, object>> = {
  'control/clock': { mode: 'frozen', now: '2026-03-01T10:00:00Z' },
  'control/clock-advance': { by: 'PT1H' },
  'control/session': { name: 'third', seed: 'x', scenario: 'auto-approve', now: '2026-03-01T10:00:00Z' },
  'control/examination-start': { only: ['I2', 'mobile-money'], amount: '10.00', seed: 1, budget: 'PT1M' },
  'control/scenario-choice': { name: 'auto-approve' },
  'fixtures/scenario': {
    name: 'payer-decides',
    description: 'x',
    rules: [
      {
        when: {
          operation: 'initiatePayment',
          channel: ['qr-wallet'],
          body: { properties: { amount: { pattern: '^1' } } },
        },
        respond: { paymentCode: '{{paymentCode}}' },
        settle: { outcome: 'Failed', after: 'PT3S', code: '51', description: 'x' },
        adjustments: [{ kind: 'chargeback', after: 'P3D', amount: '3.00', code: '51', description: 'x' }],
        balance: '25.00',
        webhook: { mode: 'delayed', delay: 'PT10S' },
      },
    ],
  },
  'control/request-expectation': {
    match: { operation: 'initiatePayment', body: { a: { b: 1 } }, status: 200 },
    count: 1,
  },
  'control/outcome-choice': { outcome: 'Paid', code: '51', description: 'x' },
  'control/adjustment-choice': { kind: 'refund', amount: '3.00', code: '51', description: 'x' },
  'control/shop-code-order': {
    merchantId: 'M-1000',
    reference: 'TILL-1',
    amount: '2.50',
    currency: 'USD',
    description: 'x',
    environment: 'sandbox',
    content: 'emv',
  },
  'control/webhook-endpoints': {
    endpoints: [{ url: 'http://127.0.0.1:1/hook', merchantId: 'M-1000', types: ['payment.paid'] }],
  },
  'control/state': {
    state: {
      seed: 'sandbox',
      scenario: 'payer-decides',
      generation: 1,
      clock: { mode: 'frozen', now: 1_772_359_200_000 },
      rngPosition: 3,
      counters: { payment: 1, event: 2 },
      start: { scenario: 'payer-decides', clock: { mode: 'real', offset: 0 } },
    },
    scenarios: [{ id: 'mine', scenario: { name: 'mine', description: 'x', rules: [] } }],
    endpoints: [{ id: 'endpoint-1', url: 'http://127.0.0.1:1/', secret: 'whsec_x', merchantId: null, types: null }],
    faultCounts: [{ id: 'x 1', scenario: 'x', strikes: 1 }],
    webhookQueues: [{ id: 'http://127.0.0.1:1/', state: 'halted', failures: 15, failingSince: 1_772_359_200_000 }],
  },
};
