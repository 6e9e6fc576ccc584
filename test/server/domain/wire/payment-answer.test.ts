import fc from 'fast-check';
import type { Payment } from '../../../../src/base/schema/generated/records.ts';
import { validate } from '../../../../src/base/schema/validation.ts';
import { paymentAnswer } from '../../../../src/server/domain/wire/payment-answer.ts';
import { addressesOf } from '../../../../src/server/sessions/session-addresses.ts';
import { cases } from '../../../cases.ts';
import { requireDefined, Workbench } from '../workbench.ts';

/** Source: INTERFACE.md, "Payment initiation response". */
const SHORT_FORM = [
  'status',
  'paymentTokenExpiry',
  'paymentTokenDescription',
  'paymentToken',
  'paymentId',
  'paymentRedirectUrl',
];
const LONG_FORM = [...SHORT_FORM, 'paymentResponseMessage', 'paymentProcessedDateTime', 'paymentCode', 'paymentQrCode'];
const AUTH = {
  token: '',
  user: { id: 1, email: '', role: '', token: '' },
  errorResponse: { errorMessage: null, statusCode: 0 },
};

let bench: Workbench;

beforeAll(async () => {
  bench = await Workbench.open();
});

async function answerOf(channelId: string, respond: Payment['respond'], profileId = 1) {
  const channel = requireDefined(bench.fixtures.channel(channelId));
  const payment = await bench.pay({ channel, walletName: requireDefined(channel.names[0]), profileId, respond });
  const facts = { addresses: addressesOf('http://127.0.0.1:4100', 'own'), merchant: bench.merchant() };
  return paymentAnswer(payment, { fixtures: bench.fixtures, ...facts });
}

it('the answer has all ten members or the first six, in the order of the interface, for any scenario', async () => {
  const anyMembers = fc.dictionary(
    fc.constantFrom(...LONG_FORM.slice(6)),
    fc.constantFrom(null, '', '{{paymentCode}}'),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('qr-wallet', 'mobile-money', 'card-switch', 'card-network-a'),
      fc.constantFrom('default', 'alternate', 'testMode'),
      fc.constantFrom(undefined, 'empty' as const, 'absent' as const),
      anyMembers,
      fc.constantFrom(1, 2),
      async (channel, template, unused, { paymentProcessedDateTime: _, ...members }, profileId) => {
        const respond = { template, members, ...(unused === undefined ? {} : { unused }) };
        const answer = await answerOf(channel, respond, profileId);
        const long = await answerOf(channel, { template, members }, profileId);
        const isUsed = LONG_FORM.slice(6).some((name) => (long[name] ?? '') !== '');
        expect(Object.keys(answer)).toEqual(unused === 'absent' && !isUsed ? SHORT_FORM : LONG_FORM);
        expect(Object.values(answer).includes(null) && unused === 'empty').toBe(false);
        expect(await validate('responses/payment', { auth: AUTH, paymentInitiationResponse: answer })).toEqual([]);
      },
    ),
    { numRuns: cases(100) },
  );
});

it('an answer whose template has six members has only these, or all ten if a scenario fills another one', async () => {
  const { fixtures } = bench;
  const channel = requireDefined(fixtures.channel('card-switch'));
  const short = Object.fromEntries(
    Object.entries(channel.answers.default).slice(0, 6),
  ) as typeof channel.answers.default;
  const channelWithShortAnswer = { ...channel, answers: { ...channel.answers, default: short } };
  bench.fixtures = { ...fixtures, channel: () => channelWithShortAnswer };
  expect(Object.keys(await answerOf('card-switch', null))).toEqual(SHORT_FORM);
  const filled = await answerOf('card-switch', { members: { paymentResponseMessage: 'Well' } });
  expect(Object.entries(filled).slice(6)).toEqual([
    ['paymentResponseMessage', 'Well'],
    ['paymentProcessedDateTime', null],
    ['paymentCode', null],
    ['paymentQrCode', null],
  ]);
  bench.fixtures = fixtures;
});

it.each(['qr-wallet', 'mobile-money', 'card-switch', 'card-network-a', 'card-network-b'])(
  'the answer on %s has six members under the scenario short-answers',
  async (channel) => {
    const rules = requireDefined(bench.fixtures.scenarios.get('short-answers')).rules;
    const rule = rules.find(({ when }) => when?.channel === undefined || [when.channel].flat().includes(channel));
    const answer = await answerOf(channel, rule?.respond as Payment['respond']);
    expect(Object.keys(answer)).toEqual(SHORT_FORM);
    expect([answer['paymentId'], answer['paymentTokenDescription']]).not.toContain(null);
  },
);

it('a recorded answer has its own members in their order, with the values of the payment', async () => {
  const { fixtures } = bench;
  const recorded = { fee: null, paymentId: '{{paymentId}}', more: { note: 'For {{payerReference}}', list: [1, ''] } };
  const channel = { ...requireDefined(fixtures.channel('mobile-money')), recordedAnswers: { recorded } };
  bench.fixtures = { ...fixtures, channel: () => channel };
  const answer = await answerOf('mobile-money', { template: 'recorded', unused: 'empty' });
  const { paymentId } = answer;
  expect(JSON.stringify(answer)).toBe(
    JSON.stringify({ fee: null, paymentId, more: { note: `For ${paymentId}`, list: [1, ''] } }),
  );
  expect(paymentId).toMatch(/./);
  bench.fixtures = fixtures;
});
