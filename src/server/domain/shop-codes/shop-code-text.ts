import { toDecimalText } from '../../../base/money.ts';
import type { Merchant, ShopCode } from '../../../base/schema/generated/records.ts';
import type { Fixtures } from '../../config/fixtures.ts';
import type { Addresses } from '../../sessions/session-addresses.ts';

export function shopCodeText(
  code: ShopCode,
  { fixtures, addresses, merchant }: { fixtures: Fixtures; addresses: Addresses; merchant: Merchant | undefined },
): string {
  return code.content === 'emv'
    ? emvPayload(code, merchant?.name ?? code.merchantId, fixtures)
    : addresses.scan(code.id);
}

/** EMVCo's value for a static code, which can be scanned repeatedly. */
const STATIC_CODE = '11';

/** Maximum lengths in characters. Source: EMVCo, QR Code Specification for Payment Systems, merchant-presented mode. */
const MAX_NAME_LENGTH = 25;
const MAX_LABEL_LENGTH = 25;

/** EMVCo's merchant-presented payload: objects of an id, a length of two digits and a value, followed by a checksum. */
export function emvPayload(code: ShopCode, merchantName: string, { shopCodes: { emv } }: Fixtures): string {
  const { amount, currency } = code;
  const content = [
    field('00', '01'),
    field('01', STATIC_CODE),
    field('26', [field('00', emv.account), field('01', ascii(code.merchantId, MAX_LABEL_LENGTH))].join('')),
    field('52', emv.category),
    field('53', emv.currencies[currency] ?? ''),
    ...(amount === null ? [] : [field('54', toDecimalText(amount))]),
    field('58', emv.country),
    field('59', ascii(merchantName, MAX_NAME_LENGTH)),
    field('60', emv.city),
    field(
      '62',
      [field('05', ascii(code.reference, MAX_LABEL_LENGTH)), field('07', ascii(code.id, MAX_LABEL_LENGTH))].join(''),
    ),
    // The checksum also covers its own id and length.
    '6304',
  ].join('');
  return `${content}${checksum(content)}`;
}

function field(id: string, value: string): string {
  return `${id}${String(value.length).padStart(2, '0')}${value}`;
}

/** The id of a shop code in a payload; undefined if the payload is damaged or has none. Other issuers may put other ids there. */
export function shopCodeIdIn(payload: string): string | undefined {
  const isIntact = payload.startsWith('000201') && checksum(payload.slice(0, -4)) === payload.slice(-4);
  return isIntact ? objectsIn(objectsIn(payload).get('62') ?? '').get('07') : undefined;
}

function objectsIn(text: string): Map<string, string> {
  const objects = new Map<string, string>();
  for (let index = 0; index + 4 <= text.length; ) {
    const length = Number(text.slice(index + 2, index + 4)) || 0;
    objects.set(text.slice(index, index + 2), text.slice(index + 4, index + 4 + length));
    index += 4 + length;
  }
  return objects;
}

/** A text in ASCII, because lengths count characters but scanners count bytes. */
function ascii(text: string, maxLength: number): string {
  const replaced = text
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .replace(/[^ -~]/gu, '?');
  return replaced.slice(0, maxLength).trim() || '?';
}

/** CRC-16/CCITT-FALSE of a text's bytes, as four hexadecimal digits. */
export function checksum(text: string): string {
  let crc = 0xffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) {
      crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021;
    }
  }
  return (crc & 0xffff).toString(16).toUpperCase().padStart(4, '0');
}
