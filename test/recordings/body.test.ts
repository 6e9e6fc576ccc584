import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import type { RecordedBody, RecordedHeader } from '../../src/base/schema/generated/recordings.ts';
import { bytesOf, MAX_RECORDED_BYTES, membersIn, readBody } from '../../src/recordings/body.ts';

const headers = (pairs: Record<string, string>): RecordedHeader[] =>
  Object.entries(pairs).map(([name, value]) => ({ name, value }));
const read = (content: string | Buffer, pairs: Record<string, string> = {}) =>
  readBody(Buffer.from(content as string), headers(pairs));

describe('a body', () => {
  test.each<[string, string, RecordedBody]>([
    ['nothing', '', null],
    ['JSON', '{"b":null,"a":""}', { json: { b: null, a: '' } }],
    ['JSON that is a single string', '"Paid"', { json: 'Paid' }],
    ['truncated JSON', '{"a":1', { text: '{"a":1' }],
    ['a text', 'one\r\ntwo – three', { text: 'one\r\ntwo – three' }],
    ['JSON that is nested too deeply', '['.repeat(600) + ']'.repeat(600), { text: '['.repeat(600) + ']'.repeat(600) }],
  ])('of %s is read, and sent unchanged', (_, text, body) => {
    expect(read(text, { 'Content-Type': 'text/plain' })).toEqual(body);
    expect(bytesOf(body, [])?.toString()).toBe(text);
  });

  test.each([
    ['status=Paid&sig=abc==', { status: 'Paid', sig: 'abc==' }],
    ['{"note":"a=b"}', { note: 'a=b' }],
    ['{"note":"a=b"', {}],
    ['a sentence', {}],
  ])('of the text %s has its members', (text, members) => {
    expect(membersIn(read(text))).toEqual(members);
  });

  test('keeps a member called __proto__', () => {
    expect(JSON.stringify(read('{"__proto__":{"a":1}}'))).toBe('{"json":{"__proto__":{"a":1}}}');
  });

  test.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['Deflate', deflateRawSync],
    ['br', brotliCompressSync],
    ['identity', (text: string) => Buffer.from(text)],
    ['br, gzip', (text: string) => gzipSync(brotliCompressSync(text))],
  ])('compressed with %s is decoded', (coding, compress) => {
    expect(read(compress('{"a":1}'), { 'content-encoding': coding })).toEqual({ json: { a: 1 } });
  });

  test.each([
    ['broken gzip', gzipSync('{"a":1}').subarray(0, 12), 'gzip'],
    ['an unknown coding', Buffer.from('{"a":1}'), 'zstandard'],
    ['a text that is too long when it is decoded', gzipSync(Buffer.alloc(MAX_RECORDED_BYTES + 1, 'a')), 'gzip'],
    ['bytes that are not a text', Buffer.from([0xff, 0xfe, 0x00]), ''],
    ['a text with a zero byte', Buffer.from('a\0b'), ''],
  ])('of %s is recorded as a number of bytes', (_, bytes, coding) => {
    const body = read(bytes, { 'Content-Encoding': coding });
    expect(body).toEqual({ bytes: bytes.length });
    expect(bytesOf(body, [])).toBeUndefined();
  });

  test('that is incomplete is recorded as a number of bytes', () => {
    expect(readBody(Buffer.from('{"a":1}'), [], 70)).toEqual({ bytes: 70 });
  });

  test('in a character set other than UTF-8 is read and sent in that one', () => {
    const latin = headers({ 'Content-Type': 'text/plain; charset=ISO-8859-1' });
    const bytes = Buffer.from('Zoë', 'latin1');
    expect(readBody(bytes, latin)).toEqual({ text: 'Zoë' });
    expect(bytesOf({ text: 'Zoë' }, latin)).toEqual(bytes);
    expect(bytesOf({ json: { name: 'Zoë', sum: '1 €' } }, latin)?.toString('latin1')).toBe(
      '{"name":"Zoë","sum":"1 \\u20ac"}',
    );
  });
});

describe('a form', () => {
  const TYPE = { 'Content-Type': 'multipart/form-data; boundary="a b"' };
  const PNG = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.alloc(100, 7)]);
  const FORM = Buffer.concat([
    Buffer.from('--a b\r\nContent-Disposition: form-data; name="na\\"me"\r\n\r\nZoë\r\n\r\n'),
    Buffer.from('\r\n--a b\r\nContent-Disposition: form-data; name="logo"; filename="zoë.png"\r\n'),
    Buffer.from('Content-Type: image/png\r\n\r\n'),
    PNG,
    Buffer.from('\r\n--a b--\r\n'),
  ]);

  test('is recorded as its parts, with the first bytes of a file', () => {
    expect(read(FORM, TYPE)).toEqual({
      form: [
        { name: 'na"me', value: 'Zoë\r\n\r\n' },
        {
          name: 'logo',
          fileName: 'zoë.png',
          contentType: 'image/png',
          size: 108,
          head: PNG.subarray(0, 32).toString('base64'),
        },
      ],
    });
  });

  test('is read as the same form again after it was sent', () => {
    const body = read(FORM, TYPE);
    const sentBytes = bytesOf(body, headers(TYPE));
    expect(sentBytes).toHaveLength(FORM.length);
    expect(read(sentBytes ?? '', TYPE)).toEqual(body);
  });

  test.each([
    ['a file name by RFC 5987', "filename*=UTF-8''zo%C3%AB.png", 'zoë.png'],
    ['a file name without quotes', 'filename=zoe.png', 'zoe.png'],
    ['an empty file name', 'filename=""', ''],
  ])('with %s is read', (_, parameter, fileName) => {
    const form = `--a b\nContent-Disposition: attachment; name=f; ${parameter}\n\nx\n--a b--`;
    expect(read(form, TYPE)).toEqual({ form: [{ name: 'f', fileName, contentType: '', size: 1, head: 'eA==' }] });
  });

  test.each([
    ['without an end', '--a b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n'],
    ['without a name', '--a b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--a b--\r\n'],
    ['without parts', '--a b--\r\n'],
  ])('%s is recorded as a text', (_, text) => {
    expect(read(text, TYPE)).toEqual({ text });
  });

  test('with an invalid text is recorded as a number of bytes', () => {
    const form = Buffer.from('--a b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\xff\r\n--a b--\r\n', 'latin1');
    expect(read(form, TYPE)).toEqual({ bytes: form.length });
  });
});
