import { IntegrationFindings } from '../../../../src/server/findings/integration/integration-findings.ts';
import type { ObservedCall } from '../../../../src/server/findings/integration/observed-call.ts';
import { usedBytes } from '../../../used-bytes.ts';

const CALL: ObservedCall = {
  id: 'request-1',
  callsBegunSoFar: 1,
  at: 0,
  isFrozen: true,
  operation: 'initiatePayment',
  environment: 'sandbox',
  merchantId: 'M-1000',
  reference: 'ORDER-1',
  query: {},
  body: { amount: '10.00' },
  authorization: undefined,
  jsonOnlyAccept: undefined,
  initiated: undefined,
  isAnswered: true,
  isUncertain: false,
  refusal: null,
};

type TestCall = Partial<ObservedCall> & { number: number };

/** Each call begins after the previous one has ended, unless `callsBegunSoFar` is set. */
function kindsIn(calls: readonly TestCall[]): string[] {
  const integration = new IntegrationFindings();
  for (const { number, ...members } of calls) {
    integration.observe({ ...CALL, id: `request-${number}`, callsBegunSoFar: number, ...members }, new Set());
  }
  return integration.findings.map(({ kind }) => kind);
}

const callThatPaid = (number: number, reference = 'ORDER-1'): TestCall => {
  const initiated = { collection: 'payments' as const, recordId: `payment-${number}` };
  return { number, reference, body: { amount: '10.00', payerReference: reference }, initiated };
};
const unansweredCall = (number: number, reference = 'ORDER-1'): TestCall => ({
  ...callThatPaid(number, reference),
  isAnswered: false,
  isUncertain: true,
});
const callWithoutEffect = (number: number, reference = 'ORDER-1'): TestCall => {
  const { initiated: _, ...call } = unansweredCall(number, reference);
  return call;
};
const statusQuery = (number: number, reference = 'ORDER-1'): TestCall => ({
  number,
  operation: 'getPaymentStatus',
  reference,
});
const callWithExpiredToken = (number: number): TestCall => ({
  number,
  operation: 'getPaymentStatus',
  authorization: 'Bearer old',
  refusal: 'the token has expired',
});

it.each([
  ['after an answer was lost', [unansweredCall(1), callThatPaid(2)]],
  ['after an answer was lost, and is lost again', [unansweredCall(1), unansweredCall(2)]],
  ['after a call with a fault before its effect', [callWithoutEffect(1), callThatPaid(2)]],
])('a blind retry is found: %s', (_title, calls) => {
  expect(kindsIn(calls)).toEqual(['blind-retry']);
});

const callWhileUnavailable: TestCall = { ...callWithoutEffect(1), isUncertain: false };

it.each([
  ['tries again after the provider was not available', [callWhileUnavailable, callThatPaid(2)]],
  [
    'pays under another reference after the provider was not available',
    [callWhileUnavailable, callThatPaid(2, 'ORDER-2')],
  ],
  ['queries the status, finds no payment, and pays again', [callWithoutEffect(1), statusQuery(2), callThatPaid(3)]],
  ['pays another order', [callWithoutEffect(1), { ...callThatPaid(2, 'ORDER-2'), body: { amount: '11.00' } }]],
])('a shop has no finding if it %s', (_title, calls) => {
  expect(kindsIn(calls)).toEqual([]);
});

it('a retry under another reference after a lost answer is found until the code queries the first reference', () => {
  const retriedCalls = [unansweredCall(1), callThatPaid(2, 'ORDER-2')];
  expect(kindsIn(retriedCalls)).toEqual(['retry-under-another-reference']);
  expect(kindsIn([...retriedCalls, statusQuery(3)])).toEqual([]);
  expect(kindsIn([...retriedCalls, statusQuery(3, 'ORDER-2')])).toEqual(['retry-under-another-reference']);
});

it('a call that began before another one ended is not a retry of the other one', () => {
  expect(kindsIn([{ ...unansweredCall(1), callsBegunSoFar: 2 }, callThatPaid(2, 'ORDER-2')])).toEqual([]);
  expect(kindsIn([unansweredCall(7, 'ORDER-7'), callThatPaid(2, 'ORDER-2')])).toEqual([]);
  expect(kindsIn([{ ...callWithExpiredToken(1), callsBegunSoFar: 2 }, callWithExpiredToken(2)])).toEqual([]);
  expect(kindsIn([callWithExpiredToken(1), callWithExpiredToken(2)])).toEqual(['expired-token-again']);
  // Both payments exist and share the reference, although the retry was not blind.
  expect(kindsIn([{ ...unansweredCall(1), callsBegunSoFar: 2 }, callThatPaid(2)])).toEqual(['shared-reference']);
});

it('a reference of another merchant, or of a payout, does not count as repeated', () => {
  const payout = {
    operation: 'initiateBulkPayout',
    initiated: { collection: 'payouts' as const, recordId: 'payout-1' },
  };
  expect(
    kindsIn([callThatPaid(1), { ...callThatPaid(2), merchantId: 'M-2000' }, { ...callThatPaid(3), ...payout }]),
  ).toEqual([]);
  expect(kindsIn([callThatPaid(1), { ...callThatPaid(2), merchantId: 'M-2000' }, callThatPaid(3)])).toEqual([
    'shared-reference',
  ]);
  expect(
    kindsIn([
      { ...callThatPaid(1), ...payout },
      { ...callThatPaid(2), ...payout },
    ]),
  ).toEqual(['shared-reference']);
});

describe('the memory used for past calls', () => {
  const text = (number: number) => Buffer.alloc(5000, `${number} `).toString();
  it.each<[string, number, (number: number) => Partial<ObservedCall>]>([
    ['status queries with one token', 200_000, () => ({ operation: 'getPaymentStatus', authorization: 'Bearer x' })],
    ['unanswered payments', 4000, (number) => ({ isUncertain: true, body: { paymentDescription: text(number) } })],
    ['unanswered references', 4000, (number) => ({ isUncertain: true, reference: text(number) })],
    ['expired tokens', 4000, (number) => ({ authorization: text(number), refusal: 'the token has expired' })],
  ])('is limited: %s', (_title, count, membersOf) => {
    const integration = new IntegrationFindings();
    integration.observe({ ...CALL, operation: 'getAccessToken' }, new Set());
    const before = usedBytes();
    for (let number = 2; number < count; number += 1) {
      integration.observe(
        { ...CALL, id: `request-${number}`, callsBegunSoFar: number, ...membersOf(number) },
        new Set(),
      );
    }
    expect(usedBytes() - before).toBeLessThan(4e6);
    expect(integration.findings).toBeDefined();
  });
});
