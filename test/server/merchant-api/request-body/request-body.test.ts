import type { Server } from 'node:http';
import { connect } from 'node:net';
import fc from 'fast-check';
import request from 'supertest';
import type { Refusal } from '../../../../src/base/refusal.ts';
import {
  type BodyOptions,
  ClientGone,
  readBody,
  UnreadableBody,
} from '../../../../src/server/merchant-api/request-body/request-body.ts';
import { cases } from '../../../cases.ts';
import { cuts, listen, read, refusalOf, requestWith, send, sliceAt } from '../requests.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const STRICT: BodyOptions = { kind: 'json', isLenient: false };
const MEBIBYTE = 1024 * 1024;

const json = (text: string | Buffer, headers: Record<string, string> = JSON_TYPE, options = STRICT) =>
  read([Buffer.from(text)], headers, options);

const bodyOfSize = (size: number) => Buffer.from(`{"a":"${'x'.repeat(size - 8)}"}`);

describe('a JSON body', () => {
  it('is read completely, however it is split into packets', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 6 })), cuts, async (object, places) => {
        const text = JSON.stringify(object);
        fc.pre(!/"(__proto__|constructor|prototype)"/.test(text));
        const { value, findings } = await read(sliceAt(Buffer.from(text), places), JSON_TYPE, STRICT);
        expect([value, findings]).toEqual([JSON.parse(text), []]);
      }),
      { numRuns: cases(100) },
    );
  });

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;CHARSET="UTF-8"',
    'application/json ; version=1;',
  ])('is accepted as %s', async (contentType) => {
    expect((await json('{"a":1}', { 'content-type': contentType })).value).toEqual({ a: 1 });
  });

  it.each([
    ['text/plain', 'Content-Type text/plain was sent; send Content-Type: application/json'],
    ['application/jsonp', 'Content-Type application/jsonp was sent'],
    ['application/json charset=utf-8', 'send Content-Type: application/json'],
    ['multipart/form-data; boundary=application/json', 'send Content-Type: application/json'],
    ['application/json; charset=latin1', 'charset latin1 is not accepted'],
    ['application/json; charset=utf-16; charset=utf-8', 'charset utf-16 is not accepted'],
  ])('is refused as %s', async (contentType, message) => {
    const refusal = await refusalOf(json('{}', { 'content-type': contentType }));
    expect([refusal.kind, refusal.message]).toEqual(['wrong-media-type', expect.stringContaining(message)]);
  });

  it('is accepted or refused for any content type, and causes no other error', async () => {
    const oddType = fc.string({ unit: fc.constantFrom(...'application/json;charset= "\\\t,é') });
    await fc.assert(
      fc.asyncProperty(oddType, async (contentType) => {
        const result = await json('{}', { 'content-type': contentType }).catch((error: Refusal) => error.kind);
        expect(result === 'wrong-media-type' || typeof result === 'object').toBe(true);
      }),
      { numRuns: cases(100) },
    );
  });

  it('is refused without a content type', async () => {
    const refusal = await refusalOf(json('{}', {}));
    expect([refusal.kind, refusal.message]).toEqual([
      'wrong-media-type',
      'no Content-Type was sent; send Content-Type: application/json',
    ]);
  });

  it('may be declared as not encoded, and is refused if encoded', async () => {
    expect((await json('{}', { ...JSON_TYPE, 'content-encoding': 'Identity' })).value).toEqual({});
    const refusal = await refusalOf(json('{}', { ...JSON_TYPE, 'content-encoding': 'gzip' }));
    expect([refusal.kind, refusal.message]).toEqual(['wrong-media-type', expect.stringContaining('gzip')]);
  });

  it('may begin with a byte order mark', async () => {
    expect((await json('\ufeff{"a":"é"}')).value).toEqual({ a: 'é' });
  });

  it.each<[string, string | Buffer, string]>([
    ['nothing', '', 'the body is empty; a JSON object was expected'],
    ['only a byte order mark', '\ufeff', 'the body is empty; a JSON object was expected'],
    ['a space', ' ', 'the body is not JSON: it ends too early, at line 1, column 2; expected a value'],
    ['an array', '[{}]', 'the body is a JSON array; a JSON object was expected'],
    ['null', 'null', 'the body is null; a JSON object was expected'],
    ['a number', '12', 'the body is a JSON number; a JSON object was expected'],
    [
      'invalid UTF-8',
      Buffer.from([0x7b, 0xc3, 0x28, 0x7d]),
      'the body is not valid UTF-8; a JSON object in UTF-8 was expected',
    ],
    [
      'a trailing comma',
      '{"a": 1,\n}',
      'the body is not JSON: at line 2, column 1, expected a field name in double quotes',
    ],
    [
      'a cut body',
      '{"ä": "ü',
      'the body is not JSON: at line 1, column 7, expected a text that ends with a double quote on the same line',
    ],
  ])('of %s is refused with the reason', async (_title, text, message) => {
    const refusal = await refusalOf(json(text));
    expect([refusal.kind, refusal.message]).toEqual(['malformed-body', message]);
  });

  it('that is malformed at any place does not reveal its secrets', async () => {
    const secret = 'hush-4711-hush';
    const whole = JSON.stringify({ merchantId: 'M-1', merchantKey: secret, amount: '1.00' }, null, 1);
    const name = '"merchantKey": "';
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.string({ maxLength: 2 }), fc.boolean(), async (at, noise, cut) => {
        // The name stays unchanged, because only the name shows that the value is a secret.
        fc.pre(at < whole.indexOf(name) || at >= whole.indexOf(name) + name.length);
        const text = `${whole.slice(0, at)}${noise}${cut ? '' : whole.slice(at + 1)}`;
        const outcome = await json(text).catch((error: unknown) => error);
        if (outcome instanceof UnreadableBody) {
          expect(outcome.message).not.toMatch(/hush|4711/);
          expect(outcome.text).not.toContain(secret);
        }
      }),
      { numRuns: cases(100) },
    );
  });

  it('that is refused keeps its beginning for the request log, with secrets masked', async () => {
    const refusal = await refusalOf(json(`{"merchantKey":"hush","amount":10,${' '.repeat(10_000)}`));
    expect(refusal).toBeInstanceOf(UnreadableBody);
    expect((refusal as UnreadableBody).text).toMatch(/^\{"merchantKey":\*\*\*,"amount":10, +$/);
    expect((refusal as UnreadableBody).text.length).toBeLessThan(5000);
  });

  it.each([
    ['{"a":[1,{"b":1e999}]}', '$.a[1].b: expected a number, received one that is too large'],
    ['{"a":-1e999}', '$.a: expected a number'],
    ['{"a":{"__proto__":1}}', '$.a.__proto__: expected no field of this name'],
    ['{"\\u005f_proto__":null}', '$.__proto__: expected no field of this name'],
    ['{"odd key":{"constructor":{"prototype":{}}}}', '$["odd key"].constructor: expected no field'],
    ['{"prototype":[]}', '$.prototype: expected no field'],
  ])('such as %s is refused with its path', async (text, message) => {
    const refusal = await refusalOf(json(text));
    expect([refusal.kind, refusal.message]).toEqual(['malformed-body', expect.stringContaining(message)]);
    expect(refusal.findings).toEqual([expect.objectContaining({ path: message.split(':')[0], severity: 'error' })]);
  });

  it('may have members called constructor and prototype that are not objects', async () => {
    const { value } = await json('{"constructor":"Build Ltd","prototype":1}');
    expect(Object.entries(value as object)).toEqual([
      ['constructor', 'Build Ltd'],
      ['prototype', 1],
    ]);
  });

  it('may be 32 levels deep and not one more, in objects and in arrays', async () => {
    const objects = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
    const arrays = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    for (const nested of [objects, arrays]) {
      expect((await json(nested(32))).value).toEqual(JSON.parse(nested(32)));
      expect((await refusalOf(json(nested(33)))).message).toContain('expected at most 32 levels');
    }
    expect((await refusalOf(json(arrays(200_000)))).kind).toBe('malformed-body');
  });

  it('may have 1 MiB and not one byte more, with or without a declared length', async () => {
    const largestBody = bodyOfSize(MEBIBYTE);
    const [tooMuch, length] = [bodyOfSize(MEBIBYTE + 1), String(MEBIBYTE + 1)];
    expect((await read([largestBody], JSON_TYPE, STRICT)).value).toEqual({ a: 'x'.repeat(MEBIBYTE - 8) });
    const attempts = [
      read([tooMuch], JSON_TYPE, STRICT),
      read([Buffer.from('{}')], { ...JSON_TYPE, 'content-length': length }, STRICT),
      read([bodyOfSize(20)], JSON_TYPE, { ...STRICT, maxBytes: 19 }),
    ];
    for (const attempt of attempts) {
      const { kind, message } = await refusalOf(attempt);
      expect([kind, message]).toEqual(['body-too-large', expect.stringContaining('larger than')]);
    }
  });

  it('without an end is refused once it has more than 64 MiB', async () => {
    const endless = requestWith(JSON_TYPE);
    const outcome = refusalOf(readBody(endless, STRICT));
    const chunk = Buffer.alloc(MEBIBYTE);
    for (let sent = 0; sent <= 64; sent += 1) {
      endless.push(chunk);
    }
    expect((await outcome).kind).toBe('body-too-large');
    expect(endless.readableEnded).toBe(false);
  });
});

describe('a body of any bytes', () => {
  it('is read or refused, and causes no other error', async () => {
    const contentType = fc.constantFrom(
      'application/json',
      'application/json; charset=x',
      'multipart/form-data; boundary=b',
      'multipart/form-data; boundary="b"; boundary=c',
      'application/x-www-form-urlencoded; boundary=b',
      'multipart/form-data',
      ';;=',
    );
    const part = fc.constantFrom(
      '--b\r\n',
      '\r\n--b',
      '--',
      '\r\n\r\n',
      'Content-Disposition: form-data; name="a"',
      '; filename="f"',
      'content-disposition: attachment',
      '[a',
      '%22',
    );
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array)),
      fc
        .array(fc.oneof(part, fc.string({ maxLength: 4 })), { maxLength: 12 })
        .map((parts) => Buffer.from(parts.join(''))),
      fc.json().map((text) => Buffer.from(text)),
    );
    const kind = fc.constantFrom('json', 'json-or-query', 'multipart', 'none' as const);
    await fc.assert(
      fc.asyncProperty(kind, fc.boolean(), contentType, bytes, cuts, async (kind, isLenient, type, body, places) => {
        const attempt = read(sliceAt(body, places), { 'content-type': type }, { kind, isLenient });
        const isRead = await attempt.then(
          () => true,
          () => false,
        );
        if (!isRead) {
          expect(['malformed-body', 'wrong-media-type', 'body-too-large']).toContain((await refusalOf(attempt)).kind);
        }
      }),
      { numRuns: cases(1000) },
    );
  });
});

describe('a query that can also be sent as a body', () => {
  const options: BodyOptions = { kind: 'json-or-query', isLenient: false };
  const url = '/api/getPaymentDetails?walletName=WALLET_QR&transactionReference=a+b%2F1';

  it('is read from the address if there is no body', async () => {
    const { value, findings } = await read([], {}, options, url);
    expect([value, findings]).toEqual([{ walletName: 'WALLET_QR', transactionReference: 'a b/1' }, []]);
    expect((await read([], {}, options, '/api/getPaymentDetails')).value).toEqual({});
  });

  it.each(['?a=1&reference=Caf%E9', '?a=1&reference%=%zz%C3', '?reference=\xe9', '?reference=%ed%a0%80'])(
    'is refused if a parameter is not in UTF-8: %s',
    async (search) => {
      for (const isLenient of [false, true]) {
        const { kind, message } = await refusalOf(read([], {}, { ...options, isLenient }, search));
        expect([kind, message]).toEqual([
          'malformed-body',
          expect.stringMatching(/the field "reference.*is not valid UTF-8/),
        ]);
      }
    },
  );

  it('may have percent signs that encode nothing, and U+FFFD itself', async () => {
    const { value } = await read([], {}, options, '/?a=100%&b=%zz&c=%EF%BF%BD');
    expect(value).toEqual({ a: '100%', b: '%zz', c: '\uFFFD' });
  });

  it('has the last value of a repeated parameter, with a warning', async () => {
    const { value, findings } = await read([], {}, options, '/?a=1&b=2&a=3');
    expect(value).toEqual({ a: '3', b: '2' });
    expect(findings).toEqual([expect.objectContaining({ path: '$.a', received: 'several', severity: 'warning' })]);
  });

  it('is refused with a parameter called __proto__', async () => {
    expect((await refusalOf(read([], {}, options, '/?__proto__=1'))).message).toContain('$.__proto__');
  });

  it('is read from its body if there is one', async () => {
    expect((await read([Buffer.from('{"a":1}')], JSON_TYPE, options, url)).value).toEqual({ a: 1 });
  });

  it('may have a body without a type only in lenient mode, with a warning', async () => {
    const body = [Buffer.from('{"a":1}')];
    expect((await refusalOf(read(body, {}, options, url))).kind).toBe('wrong-media-type');
    const { value, findings } = await read(body, {}, { ...options, isLenient: true }, url);
    expect([value, findings]).toEqual([{ a: 1 }, [expect.objectContaining({ path: '$', severity: 'warning' })]]);
    expect((await refusalOf(read([Buffer.from('a=1')], {}, { ...options, isLenient: true }, url))).kind).toBe(
      'malformed-body',
    );
  });
});

describe('a body of a call that accepts none', () => {
  it('is ignored', async () => {
    const { value } = await read(
      [Buffer.from('{"a"')],
      { 'content-type': 'text/plain' },
      { kind: 'none', isLenient: false },
    );
    expect(value).toBeUndefined();
  });
});

describe('a client that disconnects', () => {
  it('while it sends its body is not refused: the error is ClientGone', async () => {
    const aborted = requestWith(JSON_TYPE);
    const outcome = readBody(aborted, STRICT);
    aborted.push(Buffer.from('{"a"'));
    aborted.destroy();
    await expect(outcome).rejects.toBeInstanceOf(ClientGone);
  });

  it('before its body is read is not refused either', async () => {
    const aborted = requestWith(JSON_TYPE);
    aborted.destroy();
    await new Promise((resolve) => aborted.on('close', resolve));
    await expect(readBody(aborted, STRICT)).rejects.toBeInstanceOf(ClientGone);
  });

  it('after its complete body does not lose the body', async () => {
    const complete = requestWith(JSON_TYPE);
    const outcome = readBody(complete, STRICT);
    send(complete, [Buffer.from('{"a":1}')]);
    await new Promise((resolve) => complete.on('end', resolve));
    complete.destroy();
    expect((await outcome).value).toEqual({ a: 1 });
  });
});

describe('a real connection', () => {
  let server: Server;
  let url: string;
  let port: number;
  beforeAll(async () => {
    ({ server, url, port } = await listen(STRICT));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it('transports a body', async () => {
    const answer = await request(url).post('/').send({ amount: '10.00', payerName: 'Zoë 🙂' });
    expect(JSON.parse(answer.text).value).toEqual({ amount: '10.00', payerName: 'Zoë 🙂' });
  });

  /** Writes everything before it reads anything, as simple clients do, and then a second request on the same connection. */
  async function writeThenRead(head: string, body: Buffer): Promise<string> {
    const socket = connect(port, '127.0.0.1');
    const answers = new Promise<string>((resolve, reject) => {
      const chunks: Buffer[] = [];
      socket.on('data', (chunk: Buffer) => chunks.push(chunk));
      socket.on('error', reject);
      socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
    });
    socket.pause();
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${head}\r\n\r\n`);
    await new Promise<void>((resolve) => {
      socket.write(body, () => resolve());
    });
    const secondHead = 'Content-Type: application/json\r\nContent-Length: 7\r\nConnection: close\r\n\r\n{"a":1}';
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\n${secondHead}`);
    socket.resume();
    return answers;
  }

  const large = bodyOfSize(8 * MEBIBYTE);
  it.each([
    ['declares its length', `Content-Length: ${large.length}`, large],
    [
      'arrives in chunks',
      'Transfer-Encoding: chunked',
      Buffer.concat([Buffer.from(`${large.length.toString(16)}\r\n`), large, Buffer.from('\r\n0\r\n\r\n')]),
    ],
    ['is encoded', `Content-Encoding: gzip\r\nContent-Length: ${large.length}`, large],
  ])('sends the refusal to a client whose oversized body %s, and continues', async (_title, head, body) => {
    const answers = await writeThenRead(head, body);
    expect(answers).toMatch(/^HTTP\/1\.1 41[35] /);
    expect(answers).toContain('{"value":{"a":1},"findings":[]}');
  });

  it('that breaks within a body does not affect the server', async () => {
    await new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"a"', () => socket.resetAndDestroy());
      });
      socket.on('close', () => resolve());
    });
    expect((await request(url).post('/').send({ a: 1 })).status).toBe(200);
  });
});
