import type { RecordedBody, RecordedCall, RecordedHeader } from '../../src/base/schema/generated/recordings.ts';
import { Masks } from '../../src/recordings/masks.ts';
import { callAt, notificationAt } from './exchanges.ts';

const AT = '2026-03-01T10:00:00.000Z';
const CARD = '4111111111111111';
const PICTURE = `iVBORw0KGgoAAAANSUhEUgAAAFgAAABY${'9xQ'.repeat(20)}==`;
const SECRET = /^\*{3}[\da-f]{8}$/;
const EMAIL = /^x[\da-f]{8}@example\.test$/;

let masks: Masks;
beforeEach(() => {
  masks = new Masks();
});

function mask(changes: Partial<RecordedCall>): RecordedCall {
  return masks.maskExchange(callAt(AT, changes));
}
function maskJson(json: object): unknown {
  const body = mask({ body: { json } as RecordedBody }).body;
  return body && 'json' in body ? body.json : undefined;
}
function maskText(text: string, contentType = 'text/plain'): string {
  const headers = [{ name: 'Content-Type', value: contentType }];
  const { body } = mask({ headers, body: { text } });
  return body && 'text' in body ? body.text : '';
}
function maskHeader(name: string, value: string): string {
  return mask({ headers: [{ name, value }] }).headers[0]?.value ?? '';
}

test.each([
  ['text', 'abcdefgh12'],
  ['number', 1234567812],
])('a secret %s is masked within words in each exchange that contains it', (_kind, token) => {
  const json = { token, note: `xx${token}yy` };
  const first = maskJson(json);
  expect(maskJson(json)).toEqual(first);
  expect(JSON.stringify(first)).not.toContain(String(token));
});

describe('JSON', () => {
  test('has members with secret names masked, in any spelling of the names', () => {
    expect(maskJson({ merchantApiKey: 'k-1', client_secret: 's', 'Access-Token': 't', pin: 1234, cvv: null })).toEqual({
      merchantApiKey: expect.stringMatching(SECRET),
      client_secret: expect.stringMatching(SECRET),
      'Access-Token': expect.stringMatching(SECRET),
      pin: expect.any(Number),
      cvv: null,
    });
    expect(maskJson({ pin: 1234 })).not.toEqual({ pin: 1234 });
  });

  test('has phone numbers and e-mail addresses replaced by invented ones, and other personal values by tokens', () => {
    expect(
      maskJson({
        payerName: 'Ann Moyer-Ó Shea',
        payerMobile: '0263 771-234',
        paymentLinkEmail: 'ann@shop.example.com',
        creditAccountNumber: 'AB12 0034',
        user: { firstName: 'Ann', role: 'MERCHANT' },
        msisdn: 263_771_234_567,
      }),
    ).toEqual({
      payerName: expect.stringMatching(SECRET),
      payerMobile: expect.stringMatching(/^0\d{3} \d{3}-\d{3}$/),
      paymentLinkEmail: expect.stringMatching(EMAIL),
      creditAccountNumber: expect.stringMatching(SECRET),
      user: { firstName: expect.stringMatching(SECRET), role: 'MERCHANT' },
      msisdn: expect.any(Number),
    });
    const { msisdn } = maskJson({ msisdn: 263_771_234_567 }) as { msisdn: number };
    expect(String(msisdn)).toMatch(/^[1-9]{12}$/);
  });

  test('keeps null, empty texts, booleans, names, order, and values that are neither secret nor personal', () => {
    const json = {
      z: 1,
      token: null,
      payerName: '',
      email: null,
      password: '',
      sendEmail: true,
      paymentId: 'P-1',
      list: [1, 'a'],
    };
    expect(JSON.stringify(maskJson(json))).toBe(JSON.stringify(json));
    expect(JSON.stringify(maskJson(JSON.parse('{"__proto__":{"a":1}}')))).toBe('{"__proto__":{"a":1}}');
  });

  test('keeps the values in the examples of the interface', () => {
    const json = { payerName: 'Ann Payer', payerMobile: '263770000001', message: 'e.g. "Ann Payer"' };
    expect(maskJson(json)).toEqual(json);
  });

  test('has every value below a secret name replaced', () => {
    const { secret, address } = maskJson({
      secret: { parts: ['one', 'two'], of: { pin: '1' } },
      address: { line: 'Main 1', country: null },
    }) as Record<string, Record<string, unknown>>;
    const standIn = expect.stringMatching(SECRET);
    expect(secret).toEqual({ parts: [standIn, standIn], of: { pin: standIn } });
    expect(address).toEqual({ line: standIn, country: null });
    expect(address?.['line']).not.toBe('Main 1');
  });

  test('in a text is masked, and so are lists of names and values', () => {
    expect(maskJson({ raw: '{"token":"abc","a":1}' })).toEqual({
      raw: expect.stringMatching(/^\{"token":"\*{3}[\da-f]{8}","a":1\}$/),
    });
    expect(maskJson([{ name: 'apiKey', value: 'abc' }])).toEqual([
      { name: 'apiKey', value: expect.stringMatching(SECRET) },
    ]);
    expect(maskJson({ raw: '{"a": 1.0}' })).toEqual({ raw: '{"a": 1.0}' });
  });

  test.each([
    [{ payer: { name: 'Zoe Quill' } }],
    [{ customer: [{ name: 'Zoe Quill', id: 7 }] }],
    [[{ Name: 'payerName', Value: 'Zoe Quill' }]],
    [{ errors: [{ path: '$.payerName', message: 'too short', rejectedValue: 'Zoe Quill' }] }],
    [{ payerName: 'Ann', note: 'for Ann only' }],
    [{ beneficiary: { name: 'Zoe Quill' }, account: { holder: 'Zoe Quill' } }],
    [{ note: 'payerName=ZoeQuill is unknown' }],
    [{ payerName: '张伟明', note: 'für 张伟明 ok' }],
  ])('has the name in %j replaced because of its context', (json) => {
    const masked = JSON.stringify(maskJson(json));
    expect(masked).not.toMatch(/Zoe|Quill|Ann|张伟明/);
  });

  test('has secrets with unusual names, such as pwd, replaced', () => {
    const standIn = expect.stringMatching(SECRET);
    expect(maskJson({ dbPwd: 'abc', passphrase: 'a b' })).toEqual({ dbPwd: standIn, passphrase: standIn });
  });

  test('keeps the values of other names in lists, and names that do not belong to persons', () => {
    const json = [{ name: 'colour', value: 'blue' }, { shop: { name: 'Books' } }, { name: 'Ann', value: 1 }];
    expect(maskJson(json)).toEqual(json);
  });

  test.each([CARD, '4111 1111 1111 1111', '4111-1111\u00a01111–1111', `paid by ${CARD} 12/27`, `2026 ${CARD}`])(
    'has the card number in %j replaced',
    (text) => {
      const { note } = maskJson({ note: text }) as { note: string };
      expect(note).toMatch(/\*{3}[\da-f]{8}/);
      expect(note).not.toContain('1111');
      // The same card, in any notation.
      expect(note).toContain((maskJson({ note: CARD }) as { note: string }).note);
    },
  );

  test.each([1_772_355_600_000, '1772355600000', '4111111111111112', '3f2504e0-4f89-11d3-9a0c-0305e82c3301'])(
    'keeps %j, which is not a card number',
    (value) => {
      expect(maskJson({ value })).toEqual({ value });
    },
  );

  test('keeps the public credentials, cards and accounts of this package', () => {
    const json = {
      merchantId: 'M-1000',
      merchantApiKey: 'test-api-key-1000',
      merchantKey: 'test-merchant-key-1000',
      cardNumber: '4000 0000 0000 0010',
      creditAccountNumber: '9000000001',
    };
    expect(maskJson(json)).toEqual(json);
  });

  test('has signatures and hashes replaced, because values could be guessed from them', () => {
    expect(maskJson({ signature: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=' })).toEqual({
      signature: expect.stringMatching(SECRET),
    });
    expect(maskHeader('ETag', 'W/"2c-0123456789abcdef"')).toMatch(SECRET);
    expect(maskHeader('Content-Digest', 'sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:')).not.toContain(
      'X48E9',
    );
  });

  test('keeps only the beginning and the length of pictures', () => {
    const picture = `iVBORw0KGgoAAAANSUhEUgAAASwAAAEsAQAAAABRBrPY${'Zz9+'.repeat(40)}Zg==`;
    const { qr } = maskJson({ qr: picture }) as { qr: string };
    expect(qr).toMatch(/^iVBORw0KGgoAAAANSUhEUgAAASwAAAEsAQAAAABRBrPY/);
    expect(qr.slice(64)).toMatch(/^A+==$/);
    expect(qr).toHaveLength(picture.length);
  });

  test('has additional members replaced on request', () => {
    masks = new Masks(['loyalty_card-no']);
    expect(maskJson({ loyaltyCardNo: 'AB-12' })).toEqual({ loyaltyCardNo: expect.stringMatching(SECRET) });
    expect(masks.names).toContain('loyalty_card-no');
    expect(masks.names).toContain('payerName');
  });
});

describe('a stand-in', () => {
  test('is the same wherever the value occurs, in every exchange', () => {
    const login = mask({
      body: { json: { merchantApiKey: 'my-key-77' } },
      answer: { status: 200, headers: [], body: { json: { token: 'tok/en+1=', payerName: 'Zoë Payer' } } },
    });
    const answer = login.answer?.body as { json: { token: string; payerName: string } };
    const laterExchange = masks.maskExchange(
      notificationAt(AT, {
        target: '/hook/tok%2Fen%2B1%3D?name=Zo%C3%AB+Payer&name=Zo%C3%AB%20Payer',
        headers: [{ name: 'X-Note', value: 'of Zoë Payer, by my-key-77' }],
        body: { json: { text: 'For Zoë Payer (tok/en+1=)', count: 7 } },
      }),
    );
    const { token, payerName } = answer.json;
    const name = encodeURIComponent(payerName);
    expect(laterExchange.target).toBe(`/hook/${token}?name=${name}&name=${name}`);
    expect(laterExchange.headers[0]?.value).toBe(
      `of ${payerName}, by ${(login.body as { json: { merchantApiKey: string } }).json.merchantApiKey}`,
    );
    expect(laterExchange.body).toEqual({ json: { text: `For ${payerName} (${token})`, count: 7 } });
  });

  test('replaces a value in the call, too, if only the answer shows that it is secret', () => {
    const { target, answer } = mask({
      target: '/status/ref-of-token-1',
      answer: { status: 200, headers: [], body: { json: { token: 'ref-of-token-1' } } },
    });
    expect(target).toBe(`/status/${(answer?.body as { json: { token: string } } | undefined)?.json.token}`);
  });

  test('replaces a value within a longer word of the same exchange', () => {
    const { body } = mask({ body: { json: { token: 'abcdefgh', note: 'xxabcdefghyy' } } });
    expect(body).toEqual({ json: { token: expect.any(String), note: expect.stringMatching(/^xx\*{3}[\da-f]{8}yy$/) } });
  });

  test('is the same number everywhere, as a text and as a number, with and without a plus sign', () => {
    const { a, b, c } = maskJson({
      a: { msisdn: '+263771234567' },
      b: { msisdn: '263771234567' },
      c: { reference: 263_771_234_567 },
    }) as { a: { msisdn: string }; b: { msisdn: string }; c: { reference: number } };
    expect(a.msisdn).toBe(`+${b.msisdn}`);
    expect(String(c.reference)).toBe(b.msisdn);
  });

  test('does not replace web addresses', () => {
    const json = { phone: 'https://pay.test/phone', address: 'https://pay.test/a', url: 'https://pay.test/phone' };
    expect(maskJson(json)).toEqual(json);
  });

  test('is the same for a name with different white space between its words', () => {
    const { payerName, text } = maskJson({ payerName: 'Ann Moyer', text: 'Ann  Moyer, Ann\nMoyer' }) as Record<
      string,
      string
    >;
    expect(text).toBe(`${payerName}, ${payerName}`);
  });

  test('differs from recording to recording', () => {
    const one = maskJson({ token: 'abc', payerMobile: '263771234567' });
    masks = new Masks();
    expect(maskJson({ token: 'abc', payerMobile: '263771234567' })).not.toEqual(one);
  });

  test('does not change if a recording is masked again', () => {
    const token = '***0123abcd';
    expect(maskJson({ token })).toEqual({ token });
  });

  test('is remembered for the latest values, in bounded memory', () => {
    const { token } = maskJson({ token: 'first-token' }) as { token: string };
    const exchangesFrom = (from: number) =>
      maskJson(Array.from({ length: 9000 }, (_, index) => ({ token: `token${from + index}x` })));
    exchangesFrom(0);
    expect(maskJson({ note: 'first-token' })).toEqual({ note: token });
    exchangesFrom(10_000);
    expect(maskJson({ note: 'first-token' })).toEqual({ note: token });
    for (const round of [2, 3, 4]) {
      exchangesFrom(round * 10_000);
    }
    expect(maskJson({ note: 'first-token' })).toEqual({ note: 'first-token' });
  });
});

describe('texts', () => {
  test.each<[string, string, string]>([
    ['truncated JSON', '{"token":"abc","payerName":"Ann Moyer","amount":1', 'text/plain'],
    ['XML', '<p:token a="1">abc</p:token><payerName><![CDATA[Ann Moyer]]></payerName>', 'text/xml'],
    ['a form', 'token=abc&payer%4eame=Ann+Moyer&x=1', 'application/x-www-form-urlencoded'],
    ['a line', 'token: abc\npayerName: Ann Moyer\n', 'text/plain'],
    ['blocks of YAML', 'token: |\n  abc\npayerName: >\n\n  Ann Moyer\n\nstate: Paid\n', 'application/yaml'],
    ['a log', '[1] token="abc" payerName="Ann Moyer" state="Paid"\n[2] b', 'text/plain'],
    ['a script', 'var token = "abc"; var payerName = \'Ann Moyer\'; f("y")', 'text/javascript'],
    ['YAML', 'token: "abc"\r\npayerName: \'Ann Moyer\' \nstate: "Paid"\n', 'application/yaml'],
    ['an event', 'data: {"token":"abc","payerName":"Ann Moyer"}\n\n', 'text/event-stream'],
  ])('such as %s have secrets and personal values replaced', (_, text, contentType) => {
    const { token, payerName } = maskJson({ token: 'abc', payerName: 'Ann Moyer' }) as Record<string, string>;
    masks.maskExchange(callAt(AT));
    const spelled = contentType.includes('form') ? encodeURIComponent(payerName ?? '') : (payerName ?? '');
    const expected = text.replace('abc', token ?? '').replace(/Ann[ +]Moyer/, spelled);
    expect(maskText(text, contentType)).toBe(expected);
  });

  test('keep the next line if a name has no value', () => {
    expect(maskText('token:\nstate: Paid\n')).toBe('token:\nstate: Paid\n');
  });

  test('with truncated JSON in JSON are masked too much rather than too little', () => {
    const text = maskText('{"raw":"{\\"token\\":\\"abc\\",\\"payerName\\":\\"Ann Moyer\\"}');
    expect(text).toMatch(/^\{"raw":"\{\\"token\\":/);
    expect(text).not.toMatch(/token\\":\\"abc|Ann Moyer/);
  });

  test('keep null and true after secret names', () => {
    const text = '{"token":null,"payerName":true,"a"';
    expect(maskText(text)).toBe(text);
  });

  test.each([
    ['an address', 'https://a.test/x?token=abcdef&a=1#f', /^https:\/\/a\.test\/x\?token=\*{3}[\da-f]{8}&a=1#f$/],
    ['a login', 'https://me:pass@a.test/x', /^https:\/\/\*{3}[\da-f]{8}@a\.test\/x$/],
    [
      'an address in another',
      'https://a.test/?to=https%3A%2F%2Fb.test%2F%3Ftoken%3Dabcdef',
      /^https:\/\/a\.test\/\?to=https%3A%2F%2Fb\.test%2F%3Ftoken%3D\*{3}[\da-f]{8}$/,
    ],
    ['an e-mail address', 'ask ann.moyer+1@shop.example.com.', /^ask x[\da-f]{8}@example\.test\.$/],
    ['a token', 'see eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', /^see \*{3}[\da-f]{8}$/],
    ['Bearer', 'sent Bearer abcdefghijklmnopqrst', /^sent Bearer \*{3}[\da-f]{8}$/],
    ['JSON in base64', 'of eyJzdWIiOiIxIiwiYSI6MX0= here', /^of \*{3}[\da-f]{8} here$/],
    ['the secret of an endpoint', 'by whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2La', /^by \*{3}[\da-f]{8}$/],
    ['JSON', 'cannot read {"token":"abc","a":1}: no', /^cannot read \{"token":"\*{3}[\da-f]{8}","a":1\}: no$/],
    ['truncated JSON', '{"payerName":"Ann Moyer","a', /^\{"payerName":"\*{3}[\da-f]{8}","a$/],
    ['XML', '<r><token>abc</token><a>b</a></r>', /^<r><token>\*{3}[\da-f]{8}<\/token><a>b<\/a><\/r>$/],
    [
      'a query of GraphQL',
      '{ pay(token: "abc", a: "b") { id } }',
      /^\{ pay\(token: "\*{3}[\da-f]{8}", a: "b"\) \{ id \} \}$/,
    ],
    ['a form', 'payerName=Ann Moyer&a=1', /^payerName=\*{3}[\da-f]{8}&a=1$/],
    ['a path', '/a;token=abc?b=1', /^\/a;token=\*{3}[\da-f]{8}\?b=1$/],
    ['a picture', `see ${PICTURE}!`, /^see iVBORw0KGgo[\w+/]{33}A{48}==!$/],
    [
      'a picture in an address',
      `https://a.test/?i=${encodeURIComponent(`data:image/png;base64,${PICTURE}`)}&a=1`,
      /^https:\/\/a\.test\/\?i=data%3Aimage%2Fpng%3Bbase64%2CiVBORw0KGgo[\w+/]{33}A+&a=1$/,
    ],
    [
      'a drawing',
      'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciPjx',
      /base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwA+$/,
    ],
  ])('in JSON have secrets and personal values in %s replaced', (_, text, expected) => {
    expect(maskJson({ text })).toEqual({ text: expect.stringMatching(expected) });
  });

  test('keep values that only resemble credentials', () => {
    const json = { text: 'Basic plan: card accepted', tokenType: 'Bearer', to: 'a@b' };
    expect(maskJson(json)).toEqual(json);
  });
});

describe('targets and headers', () => {
  test('have secrets and personal values in paths and queries replaced', () => {
    const { target } = mask({
      target: `/a/ann%40shop.example.com/${CARD}?payerEmail=ann%40shop.example.com&b=%7E&pin=`,
    });
    expect(target).toMatch(
      /^\/a\/x[\da-f]{8}%40example\.test\/\*{3}[\da-f]{8}\?payerEmail=x[\da-f]{8}%40example\.test&b=%7E&pin=$/,
    );
  });

  test('have JSON in a query masked, in any encoding', () => {
    const json = encodeURIComponent('{"payerName": "Zoe Quill","pin":"12","a":1}');
    const { target } = mask({ target: `/a?data=${json}&b=1` });
    expect(decodeURIComponent(target)).toMatch(
      /^\/a\?data=\{"payerName": "\*{3}[\da-f]{8}","pin":"\*{3}[\da-f]{8}","a":1\}&b=1$/,
    );
    expect(target).not.toContain('Quill');
  });

  test.each([
    ['Authorization', 'Bearer abc', /^Bearer \*{3}[\da-f]{8}$/],
    ['authorization', 'abc', SECRET],
    ['X-Api-Key', 'abc', SECRET],
    ['Cookie', 'a=1; session=x=y', /^a=\*{3}[\da-f]{8}; session=\*{3}[\da-f]{8}$/],
    ['Cookie', 'bare', SECRET],
    ['Set-Cookie', 'a=1; Path=/; HttpOnly', /^a=\*{3}[\da-f]{8}; Path=\/; HttpOnly$/],
    ['X-Customer-Email', 'ann@shop.example.com', EMAIL],
    ['X-CSRF-Token', 'abc', SECRET],
    ['Ocp-Subscription-Key', 'abc', SECRET],
    ['X-Session-Id', 'abc', SECRET],
    ['X-Signature-256', 'sha256=c0ffee00', SECRET],
    ['X-Hmac-Sha256', 'c0ffee00', SECRET],
    ['X-Page-Key', 'abc', /^abc$/],
    ['Access-Control-Allow-Credentials', 'true', /^true$/],
    ['Location', '/x#access_token=abc', /^\/x#access_token=\*{3}[\da-f]{8}$/],
    ['Location', '/x?token=abc', /^\/x\?token=\*{3}[\da-f]{8}$/],
    ['Content-Type', 'application/json', /^application\/json$/],
  ])('such as %s: %s have only the secret replaced', (name, value, expected) => {
    const header = mask({ headers: [{ name, value }] }).headers[0] as RecordedHeader;
    expect(header).toEqual({ name, value: expect.stringMatching(expected) });
  });

  test('with Basic credentials have their password masked everywhere', () => {
    const value = `Basic ${Buffer.from('me:pass-word-1').toString('base64')}`;
    expect(maskHeader('Authorization', value)).toMatch(/^Basic \*{3}[\da-f]{8}$/);
    expect(maskJson({ note: 'is pass-word-1' })).toEqual({ note: expect.stringMatching(/^is \*{3}[\da-f]{8}$/) });
  });
});

describe('forms', () => {
  test('have secret and personal parts replaced, and the beginning of a text file removed', () => {
    const head = Buffer.from('name;email\nAnn;a@shop.example.com').toString('base64');
    const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]).toString('base64');
    const file = { contentType: 'text/csv', size: 100 };
    const { body } = mask({
      body: {
        form: [
          { name: 'paymentPayerFullNames', value: 'Ann Moyer' },
          { name: 'auth', value: '{"token":"abc"}' },
          { name: 'list', fileName: 'of Ann Moyer.csv', head, ...file },
          { name: 'logo', fileName: 'logo.png', head: png, ...file },
        ],
      },
    });
    const parts = body && 'form' in body ? body.form : [];
    expect(parts[0]).toEqual({
      name: 'paymentPayerFullNames',
      value: expect.stringMatching(SECRET),
    });
    expect(parts[1]).toEqual({ name: 'auth', value: expect.stringMatching(/^\{"token":"\*{3}[\da-f]{8}"\}$/) });
    expect(parts[2]).toMatchObject({ size: 100, head: '', fileName: expect.not.stringContaining('Ann') });
    expect(parts[3]).toMatchObject({ head: png });
  });
});

describe('single names', () => {
  const payer = { firstName: 'Sandbox', payerName: 'Paid' };

  test('are kept in paths, in names of members and headers, as a whole value, and in later exchanges', () => {
    const { target, headers, body, answer } = mask({
      target: '/Paid/Sandbox?Sandbox=1&status=Paid',
      headers: [{ name: 'X-Sandbox-Request', value: 'Paid' }],
      body: { json: payer },
      answer: {
        status: 200,
        headers: [{ name: 'Vary', value: 'X-Sandbox-Request, Sandbox-Id' }],
        body: { json: { status: 'Paid', Sandbox: { Paid: 1 }, 'Sandbox-Paid': 'x' } },
      },
    });
    expect(target).toBe('/Paid/Sandbox?Sandbox=1&status=Paid');
    expect(headers).toEqual([{ name: 'X-Sandbox-Request', value: 'Paid' }]);
    expect(body).not.toEqual({ json: payer });
    expect(answer?.headers).toEqual([{ name: 'Vary', value: 'X-Sandbox-Request, Sandbox-Id' }]);
    expect(answer?.body).toEqual({ json: { status: 'Paid', Sandbox: { Paid: 1 }, 'Sandbox-Paid': 'x' } });
    expect(maskJson({ description: 'Paid by Sandbox' })).toEqual({ description: 'Paid by Sandbox' });
  });

  test('are replaced in texts of the same exchange, and as values of personal members in every exchange', () => {
    const { payerName, note } = maskJson({ payerName: 'Annabel', note: 'For ANNABEL, thanks' }) as Record<
      string,
      string
    >;
    expect(note).toBe(`For ${payerName}, thanks`);
    expect(payerName).not.toBe('Annabel');
    expect(maskJson({ firstName: 'Annabel' })).toEqual({ firstName: payerName });
  });
});

test('a member name that equals a masked value is replaced', () => {
  const json = { payerName: 'Ann Moyer', payerMobile: '263771234567' };
  const { target, body } = mask({
    target: '/x?263771234567=2',
    body: { json: { ...json, '263771234567': { a: 1 }, 'of Ann Moyer': 2 } },
  });
  const inBody = (body as { json: Record<string, unknown> }).json;
  const mobile = String(inBody['payerMobile']);
  expect(target).toBe(`/x?${mobile}=2`);
  expect(Object.keys(inBody).sort()).toEqual([mobile, ...Object.keys(json), 'of Ann Moyer'].sort());
});

describe('other spellings', () => {
  test('of a full name in capitals are replaced', () => {
    const { payerName, note } = maskJson({ payerName: 'José Ñandú', note: 'of JOSÉ ÑANDÚ' }) as Record<string, string>;
    expect(note).toBe(`of ${payerName}`);
  });

  test.each([
    ['263771234567', '+263 77 123-4567'],
    ['263771234567', '0771234567'],
    ['+263 77 123 4567', '00263 (77) 1234567'],
    ['0771234567', '+263771234567'],
    ['0771234567', '1234567'],
  ])('of the phone number %s as %s are replaced', (payerMobile, other) => {
    const { payerMobile: standIn, note } = maskJson({ payerMobile, note: `call ${other}, now` }) as Record<
      string,
      string
    >;
    expect(note).toBe(`call ${standIn}, now`);
  });

  test('of a phone number do not include other numbers', () => {
    maskJson({ payerMobile: '263771234567' });
    const json = { a: '263771234568', b: '234567', c: 'P1234567', f: 1_234_568 };
    expect(maskJson(json)).toEqual(json);
  });

  test('of a card number include dots between its groups', () => {
    expect(maskJson({ note: 'by 4111.1111.1111.1111.' })).toEqual({
      note: `by ${(maskJson({ note: CARD }) as { note: string }).note}.`,
    });
    masks = new Masks();
    const json = { a: '4111.1111.1111.1112', b: '1.4111.1111.1111.1111', c: '4111.1111111111111' };
    expect(maskJson(json)).toEqual(json);
  });
});

test('a secret is replaced in each longer word that contains it', () => {
  const { merchantApiKey, note } = maskJson({
    merchantApiKey: 'test-key-98765432',
    note: 'xtest-key-98765432y and ztest-key-98765432_2 or test-key-98765432',
  }) as Record<string, string>;
  expect(note).toBe(`x${merchantApiKey}y and z${merchantApiKey}_2 or ${merchantApiKey}`);
});

test('masking an exchange in steps gives the same result as masking it at once', async () => {
  const list = Array.from({ length: 5000 }, (_, index) => ({ token: `token-${index}`, payerName: 'Ann Moyer' }));
  const call = callAt(AT, { body: { json: { list } } });
  const key = Buffer.alloc(32, 1);
  expect(await new Masks([], key).maskInSteps(call)).toEqual(new Masks([], key).maskExchange(call));
});
