import type { Server } from 'node:http';
import fc from 'fast-check';
import request from 'supertest';
import type { FilePart } from '../../../../src/server/merchant-api/request-body/multipart.ts';
import type { BodyOptions } from '../../../../src/server/merchant-api/request-body/request-body.ts';
import { anyCharacter } from '../../../any-character.ts';
import { cases } from '../../../cases.ts';
import { cuts, listen, read, refusalOf, sliceAt } from '../requests.ts';

const STRICT: BodyOptions = { kind: 'multipart', isLenient: false };
const LENIENT: BodyOptions = { kind: 'multipart', isLenient: true };
const BOUNDARY = 'boundary-1';
const MEBIBYTE = 1024 * 1024;

interface Part {
  /** The Content-Disposition's parameters as they are sent. */
  head: string;
  content: string | Uint8Array;
}

const text = (name: string, content: string): Part => ({ head: `; name="${name}"`, content });
const file = (name: string, content: string | Uint8Array): Part => ({
  head: `; name="${name}"; filename="f.png"`,
  content,
});

function encode(parts: readonly Part[], { boundary = BOUNDARY, disposition = 'form-data' } = {}): Buffer {
  const encoded = parts.flatMap(({ head, content }) => [
    Buffer.from(`--${boundary}\r\nContent-Disposition: ${disposition}${head}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...encoded, Buffer.from(`--${boundary}--\r\n`)]);
}

const form = (boundary = BOUNDARY) => ({ 'content-type': `multipart/form-data; boundary=${boundary}` });
const mislabelled = { 'content-type': `application/x-www-form-urlencoded; boundary=${BOUNDARY}` };

const readParts = (parts: readonly Part[], options = STRICT) => read([encode(parts)], form(), options);

/** Texts that look like the form's own syntax, and any other texts. */
const content = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc
    .array(
      fc.constantFrom(
        '\r\n',
        '\r',
        '\n',
        '"',
        '--',
        `--${BOUNDARY}`,
        '\r\n\r\n',
        'Content-Disposition: attachment; name="x"',
        '\0',
        'é🙂',
        '',
      ),
      { maxLength: 8 },
    )
    .map((pieces) => pieces.join('')),
);
const noDelimiter = (bytes: Buffer) =>
  !bytes.includes(`\r\n--${BOUNDARY}`) && !bytes.toString('latin1').startsWith(`--${BOUNDARY}`);
const names = ['paymentLinkName', 'paymentLinkReference', 'paymentLinkAmount', 'a.b-c', 'a[b]', 'toString'];
const texts = fc
  .uniqueArray(
    fc.tuple(
      fc.constantFrom(...names),
      content.filter((value) => noDelimiter(Buffer.from(value))),
    ),
    {
      selector: ([name]) => name,
    },
  )
  .map((entries) => entries.map(([name, value]) => text(name, value)));
const bytes = fc
  .oneof(
    fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array)),
    content.map((value) => Buffer.from(value)),
  )
  .filter(noDelimiter);

const membersOf = (parts: readonly Part[]) =>
  Object.fromEntries(parts.map(({ head, content }) => [/name="([^"]*)"/.exec(head)?.[1], content]));

describe('a multipart body', () => {
  it('is read with every text and every byte of its file, however it is split into packets', async () => {
    await fc.assert(
      fc.asyncProperty(texts, bytes, cuts, async (parts, image, places) => {
        const body = encode([...parts, file('paymentLinkImage', image)]);
        const { value, findings } = await read(sliceAt(body, places), form(), STRICT);
        const { paymentLinkImage, ...members } = value as Record<string, FilePart>;
        expect([members, findings]).toEqual([membersOf(parts), []]);
        expect(paymentLinkImage).toMatchObject({ fileName: 'f.png', size: image.length });
        expect(paymentLinkImage?.bytes.equals(image)).toBe(true);
      }),
      { numRuns: cases(200) },
    );
  });

  it.each(['simple', '----WebKitFormBoundary7MA4YWxkTrZu0gW', '"quoted, with: (odd) signs=?"', 'a"; charset=utf-8'])(
    'may have the boundary %s',
    async (boundary) => {
      const plain = boundary.startsWith('"') ? boundary.slice(1, -1) : (boundary.split(';')[0] ?? '');
      const { value } = await read([encode([text('a', '1')], { boundary: plain })], form(boundary), STRICT);
      expect(value).toEqual({ a: '1' });
    },
  );

  it('may have no parts', async () => {
    expect((await readParts([])).value).toEqual({});
  });

  it('keeps a file name in any script, and drops its folders', async () => {
    const { value } = await readParts([
      { head: '; name="paymentLinkImage"; filename="C:\\\\me\\\\снимок 🙂.png"', content: 'x' },
    ]);
    expect(value).toMatchObject({ paymentLinkImage: { fileName: 'снимок 🙂.png' } });
  });

  it('keeps brackets in names; lenient mode reads the name of a list entry as the name of the list', async () => {
    const parts = [text('a[9999999]', '1'), text('b[c][]', '2'), text('d[e]', '3')];
    expect((await readParts(parts)).value).toEqual({ 'a[9999999]': '1', 'b[c][]': '2', 'd[e]': '3' });
    const { value, findings } = await readParts(parts, LENIENT);
    expect(value).toEqual({ a: '1', 'b[c]': '2', 'd[e]': '3' });
    expect(findings).toEqual([
      { path: '$.a', expected: 'a part of this name', received: '"a[9999999]"', severity: 'warning', id: 'SBX-W04' },
      { path: '$["b[c]"]', expected: 'a part of this name', received: '"b[c][]"', severity: 'warning', id: 'SBX-W04' },
    ]);
  });

  it('has an error for each repeated part; lenient mode uses the last one, with a warning', async () => {
    const parts = [text('a', '1'), text('b', '2'), text('a', '3'), file('b', 'x')];
    const strict = await readParts(parts);
    expect(strict.findings).toEqual([
      { path: '$.a', expected: 'one part of this name', received: 'several', severity: 'error' },
      { path: '$.b', expected: 'one part of this name', received: 'several', severity: 'error' },
    ]);
    const lenient = await readParts(parts, LENIENT);
    expect(lenient.value).toMatchObject({ a: '3', b: { fileName: 'f.png' } });
    expect(lenient.findings).toEqual(
      strict.findings.map((finding) => ({ ...finding, severity: 'warning', id: 'SBX-W02' })),
    );
  });

  it.each([
    ['a text', text('__proto__', '1')],
    ['a file', file('__proto__', '1')],
    ['an entry of a list', text('__proto__[]', '1')],
  ])('with %s called __proto__ is refused', async (_title, part) => {
    const refusal = await refusalOf(readParts([text('a', '1'), part], LENIENT));
    expect([refusal.kind, refusal.message]).toEqual(['malformed-body', expect.stringContaining('$.__proto__')]);
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  });

  it('may have a file of 5 MiB and not one byte more', async () => {
    const { value } = await readParts([file('paymentLinkImage', Buffer.alloc(5 * MEBIBYTE))]);
    expect(value).toMatchObject({ paymentLinkImage: { size: 5 * MEBIBYTE } });
    const refusal = await refusalOf(readParts([file('paymentLinkImage', Buffer.alloc(5 * MEBIBYTE + 1))]));
    expect([refusal.kind, refusal.message]).toEqual([
      'body-too-large',
      'the part "paymentLinkImage" is larger than 5242880 bytes (5 MiB), the limit for a file',
    ]);
  });

  it('may have a text of 64 KiB; lenient mode accepts a longer one in place of the image', async () => {
    const [longest, tooLong] = ['x'.repeat(64 * 1024), 'x'.repeat(64 * 1024 + 1)];
    expect((await readParts([text('a', longest)])).value).toEqual({ a: longest });
    const refusal = await refusalOf(readParts([text('a', tooLong)]));
    expect([refusal.kind, refusal.message]).toEqual([
      'body-too-large',
      expect.stringContaining('the part "a" is larger than 65536 bytes'),
    ]);
    expect((await readParts([text('paymentLinkImage', tooLong)], LENIENT)).value).toEqual({
      paymentLinkImage: tooLong,
    });
  });

  it.each([
    [
      'as a whole',
      Array.from({ length: 10 }, (_, index) => file(`f${index}`, Buffer.alloc(MEBIBYTE))),
      'the body is larger than',
    ],
    ['in its number of texts', Array.from({ length: 101 }, (_, index) => text(`t${index}`, '')), 'Too many fields'],
    ['in its number of files', Array.from({ length: 6 }, (_, index) => file(`f${index}`, 'x')), 'Too many files'],
    ['in a name', [text('n'.repeat(101), '')], 'Field name too long'],
  ])('that is too large %s is refused', async (_title, parts, message) => {
    const refusal = await refusalOf(readParts(parts));
    expect([refusal.kind, refusal.message]).toEqual(['body-too-large', expect.stringContaining(message)]);
  });

  const whole = encode([text('a', '1')]);
  it.each([
    ['nothing', Buffer.alloc(0), 'the body is empty; a multipart form was expected'],
    ['another boundary', encode([text('a', '1')], { boundary: 'other' }), 'check its boundary and its end'],
    ['no end', whole.subarray(0, -6), 'Unexpected end of form'],
    ['a part without a name', encode([{ head: '', content: '1' }]), 'not a readable multipart form'],
    ['no form', Buffer.from('{"a":1}'), 'not a readable multipart form'],
  ])('with %s is refused as malformed', async (_title, body, message) => {
    const refusal = await refusalOf(read([body], form(), STRICT));
    expect([refusal.kind, refusal.message]).toEqual(['malformed-body', expect.stringContaining(message)]);
  });

  it.each([
    [
      'application/json',
      'Content-Type application/json was sent; send Content-Type: multipart/form-data with its boundary',
    ],
    ['multipart/form-data', 'Content-Type multipart/form-data was sent, without a boundary'],
    ['multipart/mixed; boundary=b', 'Content-Type multipart/mixed; boundary=b was sent'],
    ['application/x-www-form-urlencoded', 'Content-Type application/x-www-form-urlencoded was sent'],
  ])('with the wrong type %s is refused in both modes', async (contentType, message) => {
    for (const options of [STRICT, LENIENT]) {
      const refusal = await refusalOf(read([whole], { 'content-type': contentType }, options));
      expect([refusal.kind, refusal.message]).toEqual(['wrong-media-type', expect.stringContaining(message)]);
    }
  });

  it('without a content type is refused', async () => {
    expect((await refusalOf(read([whole], {}, LENIENT))).message).toMatch(
      /^no Content-Type was sent; send .*multipart/,
    );
  });
});

describe('a multipart body with the type of a URL-encoded form and parts that are attachments', () => {
  it('is read in lenient mode as if it were valid, for any content of its parts', async () => {
    await fc.assert(
      fc.asyncProperty(texts, bytes, cuts, async (parts, image, places) => {
        const body = encode([...parts, file('paymentLinkImage', image)], { disposition: 'attachment' });
        const { value, findings } = await read(sliceAt(body, places), mislabelled, LENIENT);
        const { paymentLinkImage, ...members } = value as Record<string, FilePart>;
        expect(members).toEqual(membersOf(parts));
        expect(paymentLinkImage?.bytes.equals(image)).toBe(true);
        expect(findings).toEqual([
          expect.objectContaining({
            path: '$',
            received: 'application/x-www-form-urlencoded with a boundary',
            severity: 'warning',
          }),
          expect.objectContaining({
            path: '$',
            received: `${parts.length + 1} that say attachment`,
            severity: 'warning',
          }),
        ]);
      }),
      { numRuns: cases(200) },
    );
  });

  it('is refused in strict mode, with the mistake and the option that accepts it', async () => {
    const body = encode([text('a', '1')], { disposition: 'attachment' });
    const { kind, message } = await refusalOf(read([body], mislabelled, STRICT));
    expect(kind).toBe('wrong-media-type');
    expect(message).toContain(
      `Content-Type ${mislabelled['content-type']} was sent; send Content-Type: multipart/form-data`,
    );
    expect(message).toContain('--validation lenient accepts this one, too');
  });

  it('may have only one of the two mistakes, and heads in any order, case and spacing', async () => {
    const oddBody = Buffer.from(
      `--${BOUNDARY}\r\ncontent-type: text/plain\r\nCONTENT-DISPOSITION:Attachment ;name=a\r\n\r\n1\r\n--${BOUNDARY}--`,
    );
    const right = encode([text('a', '1')]);
    for (const [body, headers, received] of [
      [oddBody, form(), '1 that say attachment'],
      [right, mislabelled, 'application/x-www-form-urlencoded with a boundary'],
    ] as const) {
      const { value, findings } = await read([body], headers, LENIENT);
      expect([value, findings]).toEqual([{ a: '1' }, [expect.objectContaining({ received })]]);
    }
    const refusal = await refusalOf(read([oddBody], form(), STRICT));
    expect([refusal.kind, refusal.message]).toEqual([
      'malformed-body',
      expect.stringContaining('say Content-Disposition: attachment'),
    ]);
  });

  it('is not confused with valid parts whose content or names mention attachments', async () => {
    const parts = [
      text('attachment', 'Content-Disposition: attachment'),
      text('b', `x --${BOUNDARY}\r\nContent-Disposition: attachment\r\n\r\n`),
    ];
    expect(await readParts(parts)).toEqual({ value: membersOf(parts), findings: [] });
  });

  it('is refused without delay if it has many thousand parts without heads', async () => {
    const body = Buffer.from(`\r\n--${BOUNDARY}\r\nx`.repeat(50_000));
    expect((await refusalOf(read([body], mislabelled, LENIENT))).kind).toBe('malformed-body');
  });
});

describe('a multipart body over a real connection', () => {
  let server: Server;
  let url: string;
  beforeAll(async () => {
    ({ server, url } = await listen(STRICT));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it('is read from a client library', async () => {
    const answer = await request(url)
      .post('/')
      .field('paymentLinkName', 'Zoë’s "stall"')
      .attach('paymentLinkImage', Buffer.from([1, 2, 3]), { filename: 'a.png', contentType: 'image/png' });
    expect(JSON.parse(answer.text).value).toEqual({
      paymentLinkName: 'Zoë’s "stall"',
      paymentLinkImage: {
        fileName: 'a.png',
        mediaType: 'image/png',
        size: 3,
        bytes: { type: 'Buffer', data: [1, 2, 3] },
      },
    });
  });

  it('is read from a FormData', async () => {
    const body = new FormData();
    body.set('paymentLinkName', 'Stall');
    body.set('paymentLinkImage', new Blob([new Uint8Array([9])], { type: 'image/gif' }), 'a.gif');
    const { value } = (await (await fetch(url, { method: 'POST', body })).json()) as { value: unknown };
    expect(value).toMatchObject({
      paymentLinkName: 'Stall',
      paymentLinkImage: { fileName: 'a.gif', mediaType: 'image/gif', size: 1 },
    });
  });
});

describe('a form that is not in UTF-8', () => {
  const latin1 = (name: string, content: string): Part => ({
    head: `; name="${name}"`,
    content: Buffer.from(content, 'latin1'),
  });

  it.each([[latin1('reference', 'Café-1')], [latin1('reference', '\xef\xbf')], [latin1('reference', '\xed\xa0\x80')]])(
    'is refused with the name of the field',
    async (part) => {
      for (const options of [STRICT, LENIENT]) {
        const { kind, message } = await refusalOf(readParts([text('a', '\uFFFD'), part, file('image', 'x')], options));
        expect([kind, message]).toEqual(['malformed-body', 'the field "reference" is not valid UTF-8']);
      }
    },
  );

  it('is refused if only the name of a field is invalid', async () => {
    const bytes = Buffer.from(encode([text('caf\xe9', 'x')]).toString(), 'latin1');
    expect((await refusalOf(read([bytes], form(), STRICT))).message).toBe('the field "caf\uFFFD" is not valid UTF-8');
  });

  it.each(['plain', 'as an attachment'])('is refused if only the name of a file is invalid, sent %s', async (how) => {
    const disposition = how === 'plain' ? 'form-data' : 'attachment';
    const image = { head: '; name="image"; filename="caf\xe9.png"', content: 'x' };
    const bytes = Buffer.from(encode([text('a', '1'), image], { disposition }).toString(), 'latin1');
    const refusal = await refusalOf(read([bytes], form(), LENIENT));
    expect([refusal.kind, refusal.message]).toEqual([
      'malformed-body',
      'the file name of the field "image" is not valid UTF-8',
    ]);
  });

  it('is read if only the content of a file is not in UTF-8, and may itself contain U+FFFD', async () => {
    const image = { head: '; name="image"; filename="\\"caf\uFFFD\\".png"', content: Buffer.from([0xe9]) };
    const { value } = await readParts([text('reference', 'a\uFFFD'), image]);
    expect(value).toMatchObject({ reference: 'a\uFFFD', image: { bytes: Buffer.from([0xe9]) } });
  });
});
