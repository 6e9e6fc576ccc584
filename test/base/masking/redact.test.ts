import fc from 'fast-check';
import { isCardNumber, passesLuhn } from '../../../src/base/masking/card-numbers.ts';
import {
  redact,
  redactCredentials,
  redactHeaders,
  redactSentence,
  redactText,
} from '../../../src/base/masking/redact.ts';
import { anyCharacter } from '../../any-character.ts';
import { cases } from '../../cases.ts';

/** Secrets that cannot occur in the rest of a text by chance. */
const secret = fc.string({ unit: anyCharacter, maxLength: 20 }).map((text) => `hush${text}4711`);
const name = fc.constantFrom(
  'merchantApiKey',
  'merchantKey',
  'token',
  'password',
  'PIN',
  'card_number',
  'cvv',
  'Authorization',
);

describe('redacting a value', () => {
  it('masks secrets at any depth in a copy, and leaves everything else unchanged', () => {
    const value = {
      merchantId: 'M-1000',
      merchantApiKey: 'a',
      auth: { token: 'b', user: { id: 1, 'Access-Token': 'c' } },
      cards: [
        { number: '4000 0000 0000 0002', cvv: 123, PIN: 1234, colour: 'kept' },
        { number: 4000000000000002, secret: ['d', { e: 1 }] },
      ],
      number: '12',
    };
    const before = structuredClone(value);
    expect(redact(value)).toEqual({
      merchantId: 'M-1000',
      merchantApiKey: '***',
      auth: { token: '***', user: { id: 1, 'Access-Token': '***' } },
      cards: [
        { number: '***', cvv: '***', PIN: '***', colour: 'kept' },
        { number: '***', secret: '***' },
      ],
      number: '12',
    });
    expect(value).toEqual(before);
  });

  it('keeps empty secrets, null, and values without a name', () => {
    expect(redact({ token: '', merchantKey: null, paymentToken: undefined })).toEqual({ token: '', merchantKey: null });
    expect([redact('text'), redact(1), redact(null), redact(undefined)]).toEqual(['text', 1, null, undefined]);
  });

  it('shows the content of a file as its number of bytes', () => {
    expect(redact({ image: { bytes: Buffer.from('abc') } })).toEqual({ image: { bytes: '3 bytes' } });
  });

  it('keeps a member called __proto__ as a member', () => {
    const copy = redact(JSON.parse('{"__proto__":{"token":"hush"}}')) as object;
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"token":"***"}}');
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  });

  it('never reveals a secret, for any value around it', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), name, secret, (around, key, hidden) => {
        const text = JSON.stringify(redact([around, { [key]: hidden, deeper: { [key]: [hidden] } }]));
        // The random text around it may also contain the name of a secret.
        expect(text).toBe(JSON.stringify([redact(around), { [key]: '***', deeper: { [key]: '***' } }]));
      }),
      { numRuns: cases(100) },
    );
  });
});

describe('a card number', () => {
  const between = fc.constantFrom(
    '',
    ' ',
    '-',
    '  ',
    ' -',
    '\t',
    '\u00a0',
    '\u2009',
    '\u2011',
    '\u2013',
    '+',
    '%20',
    '%c2%a0',
  );
  const number = fc
    .tuple(
      fc.constantFrom(['4', 16], ['4', 19], ['51', 16], ['2221', 16], ['34', 15], ['36', 14], ['62', 17], ['3528', 16]),
      fc.stringMatching(/^\d{19}$/),
    )
    .map(([[prefix, length], digits]) => {
      const body = `${prefix}${digits}`.slice(0, Number(length) - 1);
      return [...'0123456789'].map((digit) => body + digit).find(passesLuhn) ?? '';
    });
  /** A card number, with or without other characters between its digits. */
  const written = fc
    .tuple(number, fc.array(between, { minLength: 19, maxLength: 19 }))
    .map(([digits, gaps]) =>
      [...digits].map((digit, index) => digit + (index < digits.length - 1 ? gaps[index] : '')).join(''),
    );

  it('is masked in any spelling: as a value, in a text, in an address and in unreadable JSON', () => {
    const around = fc.constantFrom('', ' ', '\t', '\u00a0');
    fc.assert(
      fc.property(written, around, (number, blank) => {
        expect(redact({ card: { number: `${blank}${number}${blank}` } })).toEqual({ card: { number: '***' } });
        expect(redact({ payerName: `${blank}${number}` })).toEqual({ payerName: `${blank}***` });
        expect(redact({ 'Card Number': number, card_number: number })).toEqual({
          'Card Number': '***',
          card_number: '***',
        });
        for (const [before, after] of [
          ['the card ', ' of the payer'],
          ['/pay/cards/', '?again'],
          ['{"note": ', ''],
        ]) {
          expect(redactText(`${before}${number}${after}`)).toBe(`${before}***${after}`);
        }
        const cut = JSON.stringify({ note: number }).slice(0, -1);
        expect(redactText(cut)).toBe('{"note":"***"');
      }),
      { numRuns: cases(500) },
    );
  });

  it.each([
    'paid by 4111 1111 1111 1111 12/27',
    'paid by 4111-1111-1111-1111.',
    '2026 4111111111111111',
    'x4111111111111111y',
    '7,4111111111111111,12/27',
    '3782 822463 10005',
    '4111.1111.1111.1111',
  ])('is found in %j', (text) => {
    expect(redactSentence(text)).toContain('***');
    expect(redactSentence(text)).not.toContain('1111');
  });

  it.each([
    '9999999999999.99',
    '0.30000000000000004',
    '0.4111111111111111',
    '4111111111111111.50',
    '2026-03-01T10:00:00Z',
    '2026-03-01 - 2026-03-02',
    '+263 77 000 0001',
    '2637700000000008',
    '1700000000003',
    '4222222222222',
    '4111111111111112',
    '14111111111111111',
    '411111111111111100000',
    '41111111-1111-1111-abcd-abcdefabcdef',
    '1,2,3,4,5,6,7,8,9,0,1,2,3,4',
  ])('is not %s', (text) => {
    expect(redactText(text)).toBe(text);
    expect(redact({ payerReference: text, note: `see ${text}!` })).toEqual({
      payerReference: text,
      note: `see ${text}!`,
    });
  });

  it('is masked as a number, too, but no other number is', () => {
    expect(redact([4111111111111111, 4111111111111112, 1_772_355_600_000, 10.5])).toEqual([
      '***',
      4111111111111112,
      1_772_355_600_000,
      10.5,
    ]);
    expect(isCardNumber('4111111111111111')).toBe(true);
  });
});

it.each(['client_secret', 'X-Api-Key', 'privateKey', 'cardCvv', 'refresh-token', 'Proxy-Authorization'])(
  'redaction masks the value of %s, also as a header',
  (key) => {
    expect(redact({ [key]: 'hush' })).toEqual({ [key]: '***' });
    expect(redactHeaders({ [key]: 'hush' })).toEqual({ [key]: '***' });
  },
);

it.each([
  'jwt',
  'pwd',
  'passphrase',
  'sessionId',
  'securityToken',
  'x-csrf-token',
  'X-Vault-Token',
  'csrf',
  '_csrf',
  'X-Otp',
  'tokens',
  'X-JWT-Assertion',
  'X-Goog-Iap-Jwt-Assertion',
  'X-Forwarded-Client-Cert',
  'DPoP',
  'Private-Token',
  'x-amz-security-token',
  'Ocp-Apim-Subscription-Key',
  'x-auth',
  'cardToken',
  'pinBlock',
  'encryption_key',
  'credentials',
  'passwd',
  'user[pin]',
  '$.payer.password',
])('redaction masks the value of %s in objects, pairs, headers and texts', (key) => {
  expect(redact({ [key]: 'hush', list: [{ name: key, value: 'hush' }], pair: [[key, 'hush']] })).toEqual({
    [key]: '***',
    list: [{ name: key, value: '***' }],
    pair: [[key, '***']],
  });
  expect(redactHeaders({ [key]: 'hush' })).toEqual({ [key]: '***' });
  expect(redactText(`{"${key}": "hush", "a`)).toBe(`{"${key}": ***, "a`);
  expect(redactSentence(`see ${key}=hush`)).toBe(`see ${key}=***`);
});

it.each([
  'requestPaymentToken',
  'paymentTokenExpiry',
  'paymentTokenDescription',
  'paymentTokenReferenceRequest',
  'payerReference',
  'payerMobile',
  'wrong-pin',
  'accountNumber',
  'paymentCode',
  'idempotency-key',
])('redaction keeps the value of %s', (key) => {
  expect(redact({ [key]: 'kept' })).toEqual({ [key]: 'kept' });
});

describe('redacting headers', () => {
  it('masks headers that authorize, in any spelling', () => {
    expect(
      redactHeaders({
        Authorization: 'Bearer x',
        cookie: 'a=b',
        'x-sandbox-control-token': 't',
        accept: '*/*',
        via: ['a', 'b'],
      }),
    ).toEqual({
      Authorization: '***',
      cookie: '***',
      'x-sandbox-control-token': '***',
      accept: '*/*',
      via: 'a,b',
    });
  });
});

describe('redacting a text', () => {
  it('masks a whole part of a form, even if its name has no quotes', () => {
    const form = (name: string, content: string) =>
      `--x\r\nContent-Disposition: form-data; name=${name}\r\n\r\n${content}\r\n--x--`;
    expect(redactText(form('merchantKey', 'hush\r\nhush'))).toBe(form('merchantKey', '***'));
    expect(redactText(form('"merchantKey"', '-----BEGIN\nhush\n'))).toBe(form('"merchantKey"', '***'));
    expect(redactText(form('"note"', 'one\r\ntwo'))).toBe(form('"note"', 'one\r\ntwo'));
  });

  it('masks a secret in JSON that is cut off anywhere or continues incorrectly', () => {
    fc.assert(
      fc.property(
        name,
        secret,
        fc.nat(),
        fc.constantFrom('', '}', ', x', '\n"next" 1', '\\'),
        (key, hidden, cut, end) => {
          const value = JSON.stringify(hidden);
          const text = `{"a": 1, "${key}" : ${value.slice(0, 1 + (cut % value.length))}${end}`;
          expect(redactText(text)).toMatch(new RegExp(`^\\{"a": 1, "${key}" : \\*\\*\\*`));
          expect(redactText(text)).not.toMatch(/hush|4711/);
        },
      ),
      { numRuns: cases(1000) },
    );
  });

  it.each([
    ['single quotes', "{'merchantKey': 'hush', 'amount': 'kept'}"],
    ['no quotes', '{merchantKey: hush hush, amount: kept}'],
    ['a number', '{"pin": 4711, "amount": "kept"}'],
    ['a list', '{"pin": [4711, 4711], "amount": "kept"}'],
    ['an object', '{"token": {"key": "a", "b": "hush"}, "amount": "kept"}'],
    ['JSON in JSON', '{"body": "{\\"merchantKey\\":\\"hush\\"}", "amount": "kept"}'],
    ['a form', 'merchantKey=hush%20hush&amount=kept'],
    [
      'a multipart form',
      '--b\r\nContent-Disposition: form-data; name="merchantKey"\r\nX: y\r\n\r\nhush\r\n--b\r\n\r\nkept',
    ],
    ['YAML', 'merchant-key: hush hush\namount: kept'],
    ['XML', '<merchantKey>hush</merchantKey><amount>kept</amount>'],
    ['a header', 'amount kept, Bearer hush.4711'],
    ['a token without a name', 'amount kept eyJhbGciOiJub25lIn0.eyJodXNoIjo0NzExfQ.hush'],
    ['a card number', 'amount kept 4000 4711 0000 0004 end'],
  ])('masks a secret in %s and keeps the rest of the text', (_title, text) => {
    expect(redactText(text)).not.toMatch(/hush|4711/);
    expect(redactText(text)).toContain('***');
    expect(redactText(text)).toContain('kept');
  });

  it.each(['&#34;', '&quot;'])('masks a value that begins with backslashes and %s', (quote) => {
    const text = String.raw`${quote}pin=\\\\\\\\${quote}hush hush${quote}`;
    expect(redactText(text)).toBe(`${quote}pin=***`);
  });

  it('keeps values that are not secret', () => {
    const text =
      '{"amount": 10, "payerMobile": "263770000001", "description": "pink panda", "amount": "9999999999999.99"}';
    expect(redactText(text)).toBe(text);
  });

  it.each([
    ['an address', 'http://u:hush@x.test/?access_token=hush&x=1', 'http://***@x.test/?access_token=***&x=1'],
    [
      'an address encoded twice',
      'u=http%253A%252F%252Fx%252F%253Ftoken%253Dhush',
      'u=http%253A%252F%252Fx%252F%253Ftoken%253D***',
    ],
    [
      'JSON in JSON',
      '{"a":"{\\"b\\":\\"{\\\\\\"pin\\\\\\":\\\\\\"hush\\\\\\"}\\"}"}',
      '{"a":"{\\"b\\":\\"{\\\\\\"pin\\\\\\":\\\\\\"***\\\\\\"}\\"}"}',
    ],
    ['JSON in a query', 'x=%7B%22token%22%3A%22hush%22%7D&y=1', 'x=%7B%22token%22%3A%22***%22%7D&y=1'],
    [
      'XML',
      '<r a:pwd="hush" b="kept"><s:token>hush</s:token><a>kept</a></r>',
      '<r a:pwd="***" b="kept"><s:token>***</s:token><a>kept</a></r>',
    ],
    ['XML in CDATA', '<r><![CDATA[<token>hush</token>]]></r>', '<r><![CDATA[<token>***</token>]]></r>'],
    [
      'an element whose name is in another element',
      '<p><name>pin</name><value>hush</value></p>',
      '<p><name>pin</name><value>***</value></p>',
    ],
    ['escaped XML', '&lt;token&gt;hush&lt;/token&gt;', '&lt;token&gt;***&lt;/token&gt;'],
    ['credentials', 'sent Bearer hush-hush-hush-hush and more', 'sent Bearer *** and more'],
    ['a name before a colon', 'password: hush4711, please', 'password: ***, please'],
    ['two words', 'card number: 4711', 'card number: ***'],
    ['typographic quotes', 'the \u201ctoken\u201d=hush', 'the \u201ctoken\u201d=***'],
    [
      'a list of names and values',
      "[{value: 'hush', name: 'password'}, {name: 'a', value: 'kept'}",
      "[{value: '***', name: 'password'}, {name: 'a', value: 'kept'}",
    ],
    ['a list of a name and a value', '["password", "hush"]', '["password", "***"]'],
    ['a card number with a blank after the first digit', 'by 2 221000000000009', 'by ***'],
    ['a private key', '-----BEGIN RSA PRIVATE KEY-----\nhush\n-----END RSA PRIVATE KEY-----', '***'],
    ['the secret of an endpoint', 'by whsec_aHVzaGh1c2g=', 'by ***'],
    ['cookies', 'Cookie: a=hush; b=hush', 'Cookie: ***'],
  ])('masks a secret in %s', (_title, text, expected) => {
    expect(redactSentence(text)).toBe(expected);
    expect(redact({ note: text })).toEqual({ note: expected });
  });

  it.each([
    '$.token: expected a string, received nothing',
    '$.merchantKey: expected a string',
    'Basic plan: card accepted',
    'token: expired',
    'send Authorization: Bearer <token> from POST /auth',
    'a bearer authentication is needed',
    'see https://a.test/x?y=1',
    '{"a": 1.0, "b": 12345678901234567890}',
  ])('keeps the sentence %j', (text) => {
    expect(redactSentence(text)).toBe(text);
  });

  it('does not change a masked text', () => {
    const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'"\\\'{}[]<>&;=:, %+?a1token\n') }));
    fc.assert(
      fc.property(text, name, secret, (around, key, hidden) => {
        for (const input of [around, `${around}${key}=${hidden}`, JSON.stringify({ [around]: { [key]: hidden } })]) {
          const once = redactSentence(input);
          expect(redactSentence(once)).toBe(once);
        }
      }),
      { numRuns: cases(100) },
    );
  });

  // In quadratic time, it would exceed the time limit of a test.
  it.each([
    '"token":"',
    'key:',
    'pin=1&',
    '1 ',
    '4111 1111 1111 1112 ',
    '1%20',
    '%25',
    '\\"',
    "token='a ",
    '<token>',
    '<a b="c">',
    '{"token":[',
    '<![CDATA[',
    'name="token"\r\n\r\n',
    'content-disposition ',
    '-----BEGIN PRIVATE KEY-----',
    '://',
    'Bearer ',
    '"name":"token",',
    '&amp;',
  ])('reads a text with many %j without searching the rest again for each', (piece) => {
    expect(redactText(piece.repeat(300_000 / piece.length))).toEqual(expect.any(String));
  });
});

it.each([
  ['https://ann:hush@shop.example/webhook', 'https://***@shop.example/webhook'],
  ['ann:hush@shop.example', '***@shop.example'],
  ['"http://ann:hush@shop.example"', '"http://***@shop.example"'],
  ['http://ann:hu@sh@shop.example/a', 'http://***@shop.example/a'],
  ['http:// ann:hu\nsh@shop.example', 'http://***@shop.example'],
  ['http://shop.example/webhook', 'http://shop.example/webhook'],
])('the address %j is shown as %j', (address, shown) => {
  expect(redactCredentials(address)).toBe(shown);
});
