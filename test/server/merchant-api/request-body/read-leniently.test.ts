import type { SchemaObject } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import type { Finding } from '../../../../src/base/refusal.ts';
import { loadSchema } from '../../../../src/base/schema/load-schema.ts';
import { validate } from '../../../../src/base/schema/validation.ts';
import {
  dropNull,
  readLeniently,
  toWarnings,
} from '../../../../src/server/merchant-api/request-body/read-leniently.ts';
import { cases } from '../../../cases.ts';
import { exampleOf } from '../../../interface/examples.ts';

const payment = loadSchema('requests/single-payment');
const link = loadSchema('requests/payment-link');
const IMAGE = { fileName: 'a.png', mediaType: 'image/png', size: 1 };

/** Reads an example with these members leniently. Returns the example, the findings, and the value of the member `name`. */
function read(schema: SchemaObject, name: string, members: Record<string, unknown>) {
  const example = exampleOf(String(schema['$id']).replace('.json', ''), members);
  const { value, findings } = readLeniently(schema, example);
  return { value: (value as Record<string, unknown>)[name], findings, example };
}

describe('lenient reading', () => {
  it.each<[string, SchemaObject, string, unknown, unknown]>([
    ['a whole amount', payment, 'amount', 10, '10.00'],
    ['an amount with one decimal', payment, 'amount', 10.5, '10.50'],
    ['an amount with two decimals', payment, 'amount', 0.07, '0.07'],
    ['a text with one decimal', payment, 'amount', '10.5', '10.50'],
    ['a text without decimals', payment, 'amount', '100', '100.00'],
    ['an empty mobile number', payment, 'payerMobile', '', undefined],
    ['a capital boolean', link, 'paymentLinkOtherCurrencies', 'True', 'true'],
    ['a capital false', link, 'paymentLinkOtherCurrencies', 'False', 'false'],
    ['a false between spaces', link, 'paymentLinkOtherCurrencies', ' off ', 'false'],
    ['a boolean as a digit', link, 'paymentLinkOtherCurrencies', '0', 'false'],
    ['an empty boolean', link, 'paymentLinkOtherCurrencies', '', 'false'],
    ['a currency in place of a boolean', link, 'paymentLinkOtherCurrencies', 'EUR', 'true'],
    ['digits in quotes', payment, 'profileId', '12', 12],
    ['15 digits in quotes', payment, 'profileId', '999999999999999', 999_999_999_999_999],
    ['the largest account id in quotes', payment, 'payerAccountId', '2147483647', 2147483647],
    ['a missing id', link, 'id', undefined, ''],
    ['an unknown image type without an image', link, 'paymentLinkImageType', 'FILE', 'NONE'],
    ['an empty image type', link, 'paymentLinkImageType', '', 'NONE'],
  ])('corrects %s, with one warning', (_title, schema, name, sent, expected) => {
    const { value, findings, example } = read(schema, name, { [name]: sent });
    expect(value).toBe(expected);
    const words = { expected: expect.stringMatching(/./), received: expect.stringMatching(/./) };
    expect(findings).toEqual([expect.objectContaining({ path: `$.${name}`, severity: 'warning', ...words })]);
    expect(example[name]).toBe(sent);
  });

  it('reads an unknown image type as NEW if there is an image, and as NONE if the image is a text', () => {
    const type = (paymentLinkImage: unknown) =>
      read(link, 'paymentLinkImageType', { paymentLinkImageType: 'FILE', paymentLinkImage }).value;
    expect([type(IMAGE), type('a text'), type(null)]).toEqual(['NEW', 'NONE', 'NONE']);
  });

  it.each(['paymentLinkOtherCurrencies', 'paymentLinkImageType'])(
    'shows at most 60 characters of a wrong %s in the warning',
    (name) => {
      const { findings } = read(link, name, { [name]: 'x'.repeat(61) });
      expect(findings).toEqual([expect.objectContaining({ received: JSON.stringify('x'.repeat(60)) })]);
    },
  );

  it.each<[string, SchemaObject, string, unknown]>([
    ['an amount with three decimals', payment, 'amount', 10.005],
    ['an amount with a binary rounding error', payment, 'amount', 0.1 + 0.2],
    ['a negative amount', payment, 'amount', -1],
    ['an amount that is too large', payment, 'amount', 1e21],
    ['a valid amount', payment, 'amount', '10.00'],
    ['an amount as text with three decimals', payment, 'amount', '10.005'],
    ['an amount as text with leading zeros', payment, 'amount', '010'],
    ['an amount in a list', payment, 'amount', ['10']],
    ['a valid boolean', link, 'paymentLinkOtherCurrencies', 'true'],
    ['a boolean that is not a text', link, 'paymentLinkOtherCurrencies', true],
    ['a missing boolean', link, 'paymentLinkOtherCurrencies', undefined],
    ['letters in quotes', payment, 'profileId', 'one'],
    ['a sign before digits', payment, 'profileId', '-12'],
    ['letters after digits', payment, 'profileId', '12a'],
    ['16 digits in quotes', payment, 'profileId', '1000000000000000'],
    ['an empty text in place of a number', payment, 'profileId', ''],
    ['a null in a required member', payment, 'payerName', null],
    ['a valid image type', link, 'paymentLinkImageType', 'UPDATE'],
    ['a missing image type', link, 'paymentLinkImageType', undefined],
  ])('does not change %s', (_title, schema, name, sent) => {
    const { value, findings } = read(schema, name, { [name]: sent, paymentLinkImage: IMAGE });
    expect([value, findings]).toEqual([sent, []]);
  });

  it('drops a null for an optional member, but not if the schema allows null', () => {
    const dropped = readLeniently(payment, { payerMobile: null });
    // Strict, because a member that is undefined counts as present in later checks.
    expect([dropped.value, dropped.findings]).toStrictEqual([
      {},
      [expect.objectContaining({ path: '$.payerMobile', received: 'null' })],
    ]);
    const body = { transactionReference: 'R', walletName: 'W', paymentMobile: null };
    expect(readLeniently(loadSchema('requests/payment-status'), body)).toEqual({ value: body, findings: [] });
  });

  it('drops a null for an optional member within a list, too, and names the entry', () => {
    const payout = exampleOf('requests/bulk-payout');
    const [first, second] = payout['dynamicCreditList'] as Record<string, unknown>[];
    const sent = { ...payout, dynamicCreditList: [first, { ...second, creditMerchantId: null }] };
    const { creditMerchantId: _, ...others } = second ?? {};
    expect(readLeniently(loadSchema('requests/bulk-payout'), sent)).toEqual({
      value: { ...payout, dynamicCreditList: [first, others] },
      findings: [
        expect.objectContaining({
          path: '$.dynamicCreditList[1].creditMerchantId',
          received: 'null',
          severity: 'warning',
        }),
      ],
    });
  });

  const amounts = { properties: { amount: { 'x-lenient': 'amount-from-number' } }, required: ['amount'] };

  it.each<[string, SchemaObject, number, string | number]>([
    ['corrects the entries of a list of the largest length', { items: amounts, maxItems: 2 }, 2, '10.00'],
    ['does not change the entries of a longer list', { items: amounts, maxItems: 2 }, 3, 10],
    ['corrects the entries of a list without a limit', { items: amounts }, 3, '10.00'],
    ['does not change entries that the schema does not describe', {}, 2, 10],
  ])('%s', (_title, list, length, expected) => {
    const listOf = (amount: string | number) => ({ list: Array.from({ length }, () => ({ amount })) });
    const { value, findings } = readLeniently({ properties: { list }, required: ['list'] }, listOf(10));
    expect([value, findings.length]).toEqual([listOf(expected), expected === 10 ? 0 : length]);
  });

  it('formats any amount of cents as the schema requires', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 99_999_999_999_999 }), async (cents) => {
        const { value } = readLeniently(payment, exampleOf('requests/single-payment', { amount: cents / 100 }));
        expect(await validate('requests/single-payment', value)).toEqual([]);
        expect((value as { amount: string }).amount.replace('.', '')).toBe(String(cents).padStart(3, '0'));
      }),
      { numRuns: cases(100) },
    );
  });

  it('does not change a body that is not an object', () => {
    expect(readLeniently(payment, undefined)).toEqual({ value: undefined, findings: [] });
  });

  it('does not change a valid request', () => {
    const example = exampleOf('requests/payment-link', { paymentLinkImage: IMAGE });
    expect(readLeniently(link, example)).toEqual({ value: example, findings: [] });
  });
});

describe('lenient validation', () => {
  async function validateLeniently(members: Record<string, unknown>) {
    const body = exampleOf('requests/payment-link', { paymentLinkImage: IMAGE, ...members });
    return toWarnings(link, body, await validate('requests/payment-link', body));
  }

  it.each<[string, Record<string, unknown>, string]>([
    ['an empty part', { paymentLinkEmail: '' }, '$.paymentLinkEmail'],
    ['an image that is a text', { paymentLinkImage: 'data' }, '$.paymentLinkImage'],
    ['no image', { paymentLinkImage: undefined }, '$.paymentLinkImage'],
  ])('makes %s a warning', async (_title, members, path) => {
    expect(await validateLeniently(members)).toEqual([expect.objectContaining({ path, severity: 'warning' })]);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['an invalid part', { paymentLinkEmail: 'nobody' }, '$.paymentLinkEmail'],
    ['an empty part that may not be empty', { paymentLinkAmount: '' }, '$.paymentLinkAmount'],
    ['a list of images', { paymentLinkImage: [IMAGE] }, '$.paymentLinkImage'],
    ['a missing part', { paymentLinkName: undefined }, '$.paymentLinkName'],
    ['a file where a text belongs', { paymentLinkName: IMAGE }, '$.paymentLinkName'],
  ])('still refuses %s', async (_title, members, path) => {
    expect(await validateLeniently(members)).toEqual([expect.objectContaining({ path, severity: 'error' })]);
  });
});

it('toWarnings does not change a warning', () => {
  const finding = {
    path: '$.paymentLinkEmail',
    expected: 'a value',
    received: 'null',
    severity: 'warning',
    id: 'SBX-W03',
  };
  expect(toWarnings(link, { paymentLinkEmail: '' }, [finding as Finding])).toEqual([finding]);
});

it('dropNull drops the named member if it is null, with a warning, and no other member', () => {
  const expected = 'digits, or no such field';
  expect(dropNull({ payerMobile: null, payerName: null }, 'payerMobile', expected)).toEqual({
    value: { payerName: null },
    findings: [{ path: '$.payerMobile', expected, received: 'null', severity: 'warning', id: 'SBX-W03' }],
  });
  const body = { payerMobile: '263770000001' };
  expect(dropNull(body, 'payerMobile', expected)).toEqual({ value: body, findings: [] });
});
