import fc from 'fast-check';
import type { ShopCode } from '../../../../src/base/schema/generated/records.ts';
import { type Fixtures, loadFixtures } from '../../../../src/server/config/fixtures.ts';
import { checksum, emvPayload } from '../../../../src/server/domain/shop-codes/shop-code-text.ts';
import { anyCharacter } from '../../../any-character.ts';
import { cases } from '../../../cases.ts';

let fixtures: Fixtures;
beforeAll(async () => {
  fixtures = await loadFixtures();
});

const CODE: ShopCode = {
  id: 'shop-code-1',
  createdAt: 0,
  environment: 'sandbox',
  merchantId: 'M-1000',
  reference: 'TILL-1',
  amount: 250,
  currency: 'USD',
  description: 'Coffee',
  content: 'emv',
  active: true,
  scans: 0,
};

/** Parses a payload by the specification, without the code under test. */
function parse(payload: string): Map<string, string> {
  const objects = new Map<string, string>();
  let remaining = payload;
  while (remaining !== '') {
    const [id, length] = [remaining.slice(0, 2), Number(remaining.slice(2, 4))];
    const value = remaining.slice(4, 4 + length);
    expect([/^\d\d$/.test(id), objects.has(id), value.length]).toEqual([true, false, length]);
    objects.set(id, value);
    remaining = remaining.slice(4 + length);
  }
  return objects;
}

/** The checksum by its definition: the remainder of a division of polynomials. */
function remainderOf(text: string): string {
  const bits = [...Buffer.from(text), 0, 0].flatMap((byte) => [7, 6, 5, 4, 3, 2, 1, 0].map((at) => (byte >> at) & 1));
  for (let at = 0; at < 16; at += 1) {
    bits[at] = (bits[at] ?? 0) ^ 1;
  }
  const divisor = [1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  for (let at = 0; at + 16 < bits.length; at += 1) {
    if (bits[at] === 1) {
      divisor.forEach((bit, place) => {
        bits[at + place] = (bits[at + place] ?? 0) ^ bit;
      });
    }
  }
  return Number.parseInt(bits.slice(-16).join(''), 2).toString(16).toUpperCase().padStart(4, '0');
}

it.each([
  ['123456789', '29B1'],
  ['', 'FFFF'],
  // The example of EMVCo's specification.
  [
    '00020101021229300012D156000000000510A93FO3230Q31280012D15600000001030812345678520441115802CN5914BEST TRANSPORT6007BEIJING64200002ZH0104最佳运输0202北京540523.7253031565502016233030412340603***0708A60086670902ME91320016A0112233449988770708123456786304',
    'A13A',
  ],
])('the checksum of a shop code matches a known example: %s', (text, crc) => {
  expect(checksum(text)).toBe(crc);
});

it('the checksum of a shop code is the remainder of a polynomial division, for any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, minLength: 1 }), (text) =>
      expect(checksum(text)).toBe(remainderOf(text)),
    ),
    { numRuns: cases(100) },
  );
});

it('the text of a shop code contains merchant, amount, reference and terminal in the format of EMVCo', () => {
  const payload = emvPayload(CODE, 'Corner Shop', fixtures);
  expect(payload).toBe(
    '00020101021126290015test.sandbox.qr0106M-1000520400005303840540' +
      `42.505802ZZ5911Corner Shop6007Sandbox62250506TILL-10711shop-code-16304${payload.slice(-4)}`,
  );
  const objects = parse(payload);
  expect(Object.fromEntries(parse(objects.get('26') ?? ''))).toEqual({ '00': 'test.sandbox.qr', '01': 'M-1000' });
  expect(Object.fromEntries(parse(objects.get('62') ?? ''))).toEqual({ '05': 'TILL-1', '07': 'shop-code-1' });
});

it('the text of a shop code has no amount if the payer enters the amount', () => {
  expect(parse(emvPayload({ ...CODE, amount: null }, 'Corner Shop', fixtures)).has('54')).toBe(false);
});

it('the text of a shop code can be parsed for any merchant and reference, and ends with its checksum', () => {
  const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 });
  fc.assert(
    fc.property(name, name, fc.option(fc.integer({ min: 1, max: 999_999_999_999 })), (merchant, reference, amount) => {
      const payload = emvPayload({ ...CODE, amount, reference }, merchant, fixtures);
      const objects = parse(payload);
      expect([objects.get('00'), objects.get('01'), objects.get('53'), objects.get('58')]).toEqual([
        '01',
        '11',
        '840',
        'ZZ',
      ]);
      expect([...objects.keys()].at(-1)).toBe('63');
      expect(objects.get('63')).toBe(remainderOf(payload.slice(0, -4)));
      expect(payload).toMatch(/^[ -~]+$/);
      expect((objects.get('59') ?? '').length).toBeLessThanOrEqual(25);
    }),
    { numRuns: cases(100) },
  );
});
