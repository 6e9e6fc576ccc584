import fc from 'fast-check';
import { validate } from '../../../src/base/schema/validation.ts';
import { DURATION_WORDS, INSTANT_WORDS } from '../../../src/base/time.ts';
import { cases } from '../../cases.ts';
import { exampleOf } from '../../interface/examples.ts';

const single = (members: Record<string, unknown>) =>
  validate('requests/single-payment', { ...exampleOf('requests/single-payment'), ...members });
const calculation = (paymentAmount: number) =>
  validate('requests/fees-calculation', { ...exampleOf('requests/fees-calculation'), paymentAmount });

it('a validation error describes the received value in words', async () => {
  expect(await single({ amount: 10, payerReference: null, payerName: ['Ann'], walletName: {} })).toMatchObject([
    { path: '$.walletName', received: 'an object' },
    { path: '$.amount', received: 'number 10' },
    { path: '$.payerName', received: 'an array of 1' },
    { path: '$.payerReference', received: 'null' },
  ]);
  expect(await validate('requests/single-payment', 'text')).toMatchObject([{ path: '$', received: 'string "text"' }]);
});

it('a validation error cuts a long value', async () => {
  const [finding] = await single({ payerReference: 'x'.repeat(5000) });
  expect(finding?.received).toBe(`string "${'x'.repeat(59)}…`);
});

it('a validation error never repeats a credential or a token', async () => {
  const secrets = { merchantApiKey: 'k'.repeat(300), merchantKey: 81_726_354 };
  const token = { ...exampleOf('requests/recurring-payment'), recurringPaymentToken: 't'.repeat(3000) };
  const findings = [...(await single(secrets)), ...(await validate('requests/recurring-payment', token))];
  expect(findings.map(({ path }) => path)).toEqual(['$.merchantApiKey', '$.merchantKey', '$.recurringPaymentToken']);
  expect(JSON.stringify(findings)).not.toMatch(/kkk|81726354|ttt/);
});

it('a validation error names each field once, with its first mistake', async () => {
  expect(await calculation(-0.001)).toMatchObject([
    { path: '$.paymentAmount', expected: 'a number from 0 to 999999999999, e.g. 10' },
  ]);
});

it('a member that is unknown to one alternative and wrong in the other is refused', async () => {
  // A clock is either real, with an offset, or frozen, with `now`.
  const findings = await validate('records/session-state', { clock: { mode: 'frozen', now: 'soon' } });
  expect(findings.filter(({ path }) => path === '$.clock.now')).toMatchObject([
    { received: 'string "soon"', severity: 'error' },
  ]);
});

it('an unknown field only causes a warning, whatever its name', async () => {
  const name = 'odd "name"';
  expect(await single({ [name]: 'secret', extra: 1 })).toEqual(
    [`$["odd \\"name\\""]`, '$.extra'].map((path) => ({
      path,
      expected: 'no such field',
      received: 'an unknown field',
      severity: 'warning',
      id: 'SBX-W01',
    })),
  );
});

it('a validation error suggests the most likely name for a misspelled member', async () => {
  expect(await single({ payerNane: 'Ann' })).toMatchObject([
    { path: '$.payerNane', received: 'an unknown field, did you mean payerName?' },
  ]);
});

it('valid values have the same frozen empty list of findings', async () => {
  const [first, second] = [await single({}), await calculation(10)];
  expect(first).toBe(second);
  expect(Object.isFrozen(first)).toBe(true);
});

it('every number of cents is valid as money', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 99_999_999_999_900 }), async (cents) => {
      expect(await calculation(cents / 100)).toEqual([]);
    }),
    { numRuns: cases(100) },
  );
});

it('a number with more than two decimals is not valid as money', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 9_999_999 }), fc.integer({ min: 1, max: 9 }), async (cents, mill) => {
      expect(await calculation(Number(`${(cents / 100).toFixed(2)}${mill}`))).toMatchObject([
        { path: '$.paymentAmount', severity: 'error' },
      ]);
    }),
    { numRuns: cases(100) },
  );
});

it.each([0.1 + 0.2, 1.005, Number.MIN_VALUE, Number.MAX_VALUE, Number.NaN, Number.POSITIVE_INFINITY])(
  '%d is not valid as money',
  async (amount) => {
    expect(await calculation(amount)).toMatchObject([{ path: '$.paymentAmount', severity: 'error' }]);
  },
);

it.each([
  ['2026-03-01T10:00:00', true],
  ['2026-02-30T10:00:00Z', false],
  ['2026-03-01t10:00:00z', false],
  ['2026-12-31T23:59:60Z', false],
  ['12026-03-01T10:00:00Z', false],
])('whether the instant %s is valid: %s', async (now, fits) => {
  const findings = await validate('control/session', { name: 'test', now });
  expect(findings).toEqual(
    fits ? [] : [{ path: '$.now', expected: INSTANT_WORDS, received: `string "${now}"`, severity: 'error' }],
  );
});

it('the validation error for an invalid duration describes the valid form', async () => {
  expect(await validate('control/clock-advance', { by: '-PT1S' })).toMatchObject([
    { path: '$.by', expected: DURATION_WORDS, received: 'string "-PT1S"' },
  ]);
});

it('a validation error describes an invalid date, a missing member, and a value that is in a list twice', async () => {
  expect(await validate('control/balance-days-query', { from: '2026-13-01' })).toMatchObject([
    { path: '$.from', expected: 'a date such as 2026-03-01', received: 'string "2026-13-01"' },
  ]);
  expect(await validate('control/invoice-query', {})).toMatchObject([
    { path: '$.merchantId', expected: 'a string', received: 'nothing' },
    { path: '$.environment', expected: 'one of production, sandbox', received: 'nothing' },
    { path: '$.currency', expected: 'a string', received: 'nothing' },
  ]);
  const rules = [{ mismatches: { kinds: ['fee', 'fee'] } }];
  expect(await validate('fixtures/scenario', { name: 'x', description: 'x', rules })).toMatchObject([
    { path: '$.rules[0].mismatches.kinds', expected: 'no value twice', received: 'an array of 2' },
  ]);
});
