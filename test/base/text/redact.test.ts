import fc from 'fast-check';
import { redact, redactHeaders, redactText } from '../../../src/base/text/redact.ts';
import { anyCharacter } from '../../any-character.ts';
import { cases } from '../../cases.ts';

/** Secrets that cannot stand in the rest of a text by chance. */
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
  it('masks secrets at any depth and leaves the rest, in a copy', () => {
    const value = {
      merchantId: 'M-1000',
      merchantApiKey: 'a',
      auth: { token: 'b', user: { id: 1, 'Access-Token': 'c' } },
      cards: [
        { number: '4000 0000 0000 0002', cvv: 123, PIN: 1234, pin_code: 'kept' },
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
        { number: '***', cvv: '***', PIN: '***', pin_code: 'kept' },
        { number: '***', secret: '***' },
      ],
      number: '12',
    });
    expect(value).toEqual(before);
  });

  it('keeps what gives nothing away: empty secrets, null, values that are no objects', () => {
    expect(redact({ token: '', merchantKey: null, paymentToken: undefined })).toEqual({ token: '', merchantKey: null });
    expect([redact('text'), redact(1), redact(null), redact(undefined)]).toEqual(['text', 1, null, undefined]);
  });

  it('tells how many bytes a file has', () => {
    expect(redact({ image: { bytes: Buffer.from('abc') } })).toEqual({ image: { bytes: '3 bytes' } });
  });

  it('keeps a member called __proto__ a member', () => {
    const copy = redact(JSON.parse('{"__proto__":{"token":"hush"}}')) as object;
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"token":"***"}}');
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  });

  it('never lets a secret through, whatever is around it', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), name, secret, (around, key, hidden) => {
        const text = JSON.stringify(redact([around, { [key]: hidden, deeper: { [key]: [hidden] } }]));
        expect(text).toBe(JSON.stringify([around, { [key]: '***', deeper: { [key]: '***' } }]));
      }),
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
  /** Digits with something else between any two of them. */
  const written = fc
    .tuple(fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), between), { minLength: 13, maxLength: 19 }))
    .map(([digits]) =>
      digits.map(([digit, after], index) => `${digit}${index < digits.length - 1 ? after : ''}`).join(''),
    );

  it('is masked however it is written, as a value, in a text, in an address and in JSON that could not be read', () => {
    const around = fc.constantFrom('', ' ', '\t', '\u00a0');
    fc.assert(
      fc.property(written, around, (number, blank) => {
        expect(redact({ card: { number: `${blank}${number}${blank}` } })).toEqual({ card: { number: '***' } });
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

  it('is no amount, date, phone number or list of numbers', () => {
    for (const text of [
      '9999999999999.99',
      '2026-03-01T10:00:00Z',
      '2026-03-01 - 2026-03-02',
      '+263 77 000 0001',
      '1,2,3,4,5,6,7,8,9,0,1,2,3,4',
    ]) {
      expect(redactText(text)).toBe(text);
    }
  });
});

it.each(['client_secret', 'X-Api-Key', 'privateKey', 'cardCvv', 'refresh-token', 'Proxy-Authorization'])(
  "masks what stands below %s, a name of the caller's own",
  (key) => {
    expect(redact({ [key]: 'hush' })).toEqual({ [key]: '***' });
    expect(redactHeaders({ [key]: 'hush' })).toEqual({ [key]: '***' });
  },
);

it.each(['requestPaymentToken', 'wrong-pin', 'accountNumber', 'paymentCode', 'idempotency-key'])('keeps %s', (key) => {
  expect(redact({ [key]: 'kept' })).toEqual({ [key]: 'kept' });
});

describe('redacting headers', () => {
  it('masks those that authorise, however they are written', () => {
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
  it('masks the whole of a part of a form, also where its name has no quotes', () => {
    const form = (name: string, content: string) =>
      `--x\r\nContent-Disposition: form-data; name=${name}\r\n\r\n${content}\r\n--x--`;
    expect(redactText(form('merchantKey', 'hush\r\nhush'))).toBe(form('merchantKey', '***'));
    expect(redactText(form('"merchantKey"', '-----BEGIN\nhush\n'))).toBe(form('"merchantKey"', '***'));
    expect(redactText(form('"note"', 'one\r\ntwo'))).toBe(form('"note"', 'one\r\ntwo'));
  });

  it('masks a secret in JSON that is cut off anywhere, or goes on wrongly', () => {
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
    ['a token by its look', 'amount kept eyJhbGciOiJub25lIn0.eyJodXNoIjo0NzExfQ.hush'],
    ['a card number', 'amount kept 4000 0000 4711 0002 end'],
  ])('masks a secret in %s and leaves what is beside it', (_what, text) => {
    expect(redactText(text)).not.toMatch(/hush|4711/);
    expect(redactText(text)).toContain('***');
    expect(redactText(text)).toContain('kept');
  });

  it('leaves what is no secret alone', () => {
    const text =
      '{"amount": 10, "payerMobile": "263770000001", "description": "pink panda", "amount": "9999999999999.99"}';
    expect(redactText(text)).toBe(text);
  });

  it('is over quickly with a text made to hold it up', () => {
    for (const piece of ['"token":"', 'token', '"pin":"\\', '1 ', '1  ', '1%20', '-', "token='a' "]) {
      expect(redactText(piece.repeat(4096 / piece.length))).toEqual(expect.any(String));
    }
  });
});
