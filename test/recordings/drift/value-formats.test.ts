import {
  formatOf,
  isSameFormat,
  pathShapeOf,
  skeletonOf,
  typeOf,
} from '../../../src/recordings/drift/value-formats.ts';

test.each([
  [null, 'null'],
  [undefined, 'null'],
  [[], 'list'],
  [{}, 'object'],
  [false, 'boolean'],
  [0, 'number'],
  ['', 'string'],
])('the type of %p is %s', (value, type) => {
  expect(typeOf(value)).toBe(type);
});

const PNG = 'iVBORw0KGgoAAAANSUhEUg';

test.each([
  ['Paid', 'text'],
  ['', 'text'],
  ['abc*** 1a2b', 'masked'],
  ['a**b', 'text'],
  ['2026-03-01', 'date'],
  ['00', 'digits'],
  ['000.100.110', 'dotted code'],
  ['6b2f1c9e-8a1d-4c3b-9f00-0123456789ab', 'UUID'],
  ['6B2F1C9E-8A1D-4C3B-9F00-0123456789AB', 'UUID'],
  ['eyJhbGciOi.eyJzdWIi.abc', 'JWT'],
  ['ann@example.test', 'e-mail'],
  ['10.00', 'decimal with 2 places'],
  ['-1.5', 'decimal with 1 place'],
  ['v1.5', 'text'],
  ['1.5x', 'text'],
  ['0123456789abcdef', 'hexadecimal text of 16 characters'],
  ['0123456789ABCDEFa', 'hexadecimal text of 17 characters'],
  ['PAY-1234567', 'id with prefix PAY-'],
  ['pay_1234567', 'id with prefix pay_'],
  ['8Hs2Ja72x', 'id without prefix'],
  ['AbcdEfghIjklMnop', 'id without prefix'],
  ['abc/Def+ghi/jklMno==', 'base64 text'],
  ['/init/merchant/wallet', 'text'],
])('the format of %p is %s', (text, format) => {
  expect(formatOf(text)).toBe(format);
});

test.each([
  ['2026-03-01T10:00:00Z', 'instant with Z'],
  ['2026-03-01T10:00:00.000Z', 'instant with Z and milliseconds'],
  ['2026-03-01T10:00:00.000000Z', 'instant with Z and microseconds'],
  ['2026-03-01T10:00:00.0Z', 'instant with Z and 1 fraction digit'],
  ['2026-03-01 10:00:00+0200', 'instant after a space with offset +0200'],
  ['2026-03-01T10:00:00', 'local date-time'],
  ['2026-03-01 10:00:00.000', 'local date-time after a space and milliseconds'],
  ['2026-02-30T10:00:00Z', 'id without prefix'],
  ['2026-03-01T24:01:00Z', 'id without prefix'],
])('the format of the time %p is %s', (text, format) => {
  expect(formatOf(text)).toBe(format);
});

test.each([
  [PNG, 'base64 PNG image'],
  [`data:image/png;base64,${PNG}`, 'base64 PNG image in a data URL'],
  ['/9j/4AAQSkZJRg', 'base64 JPEG image'],
  ['R0lGODlhAQABAIAAAAAAAP', 'base64 GIF image'],
  ['UklGRiQAAABXRUJQ', 'base64 WebP image'],
  ['PHN2ZyB4bWxucz0i', 'base64 SVG image'],
  ['PD94bWwgdmVyc2lv', 'base64 SVG image'],
])('the format of the picture %p is %s', (text, format) => {
  expect(formatOf(text)).toBe(format);
});

test.each([
  ['7', 2048, 'digits'],
  ['7', 2049, 'text'],
  // A picture of any length is recognised by its beginning.
  [PNG, 2049, 'base64 PNG image'],
])('the format of %p, padded to %i characters, is %s', (begin, length, format) => {
  expect(formatOf(begin.padEnd(length, '7'))).toBe(format);
});

test.each([
  ['https://pay.test/pay/8Hs2Ja72x', 'URL /pay/{id}'],
  ['HTTPS://pay.test/pay', 'URL /pay'],
  ['https://pay.test', 'URL /'],
  ['https://pay.test/pay?token=1&code=2&code=3', 'URL /pay?code&token'],
  ['http://pay.test/pay', 'http URL /pay'],
  ['http://localhost.test/pay', 'http URL /pay'],
  ['http://my-localhost/pay', 'http URL /pay'],
  ['http://127.10.11.12/pay', 'URL /pay'],
  ['http://localhost:4100/pay', 'URL /pay'],
  ['http://127.0.0.1:4100/pay', 'URL /pay'],
  ['http://[::1]:4100/pay', 'URL /pay'],
  ['https://pay.test/a page', 'text'],
  ['see https://pay.test/pay', 'text'],
  ['https://', 'text'],
])('the format of the address %p is %s', (text, format) => {
  expect(formatOf(text)).toBe(format);
});

test.each([
  ['/pay/12/images/8Hs2Ja72x.png', '/pay/{id}/images/{id}'],
  ['/pay/logo.png', '/pay/logo.png'],
  ['/images/7.png', '/images/{id}'],
  ['/pay/***1a2b', '/pay/{id}'],
  ['/pay/6b2f1c9e-8a1d-4c3b-9f00-0123456789ab', '/pay/{id}'],
  ['/init/v2/wallet', '/init/v2/wallet'],
  ['/images/12.png', '/images/{id}'],
  ['/pay/11111111-1111-1111-1111-111111111111', '/pay/{id}'],
  ['/reports/2026-03-01', '/reports/2026-03-01'],
])('the shape of the path %p is %s', (path, shape) => {
  expect(pathShapeOf(path)).toBe(shape);
});

test.each([
  ['text', 'digits', true],
  ['digits', 'dotted code', true],
  ['base64 text', 'id without prefix', true],
  ['UUID', 'UUID', true],
  ['text', 'UUID', false],
  ['UUID', 'text', false],
  ['text', 'base64 text', false],
  ['id without prefix', 'dotted code', false],
])('the formats %p and %p belong to one kind of text: %p', (one, other, expected) => {
  expect(isSameFormat(one, other)).toBe(expected);
});

test.each([
  ['Order A17 of 10.00 USD', 'Order … of … USD'],
  ['See https://pay.test/pay now', 'See … now'],
  ['Token ***1a2b refused', 'Token … refused'],
  ['A17', undefined],
  ['Payment refused', undefined],
])('the sentence %p without its values is %p', (text, expected) => {
  expect(skeletonOf(text)).toBe(expected);
});
