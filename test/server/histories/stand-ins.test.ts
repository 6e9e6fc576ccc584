import fc from 'fast-check';
import { passesLuhn } from '../../../src/base/masking/card-numbers.ts';
import { StandIns } from '../../../src/server/histories/stand-ins.ts';
import type { CallEntry, HistoryEntry } from '../../../src/server/sessions/history-entry.ts';

const CARD = '4111111111111111';
const GIVEN_OUT = 'eyJhIjoxfQ.eyJiIjoyfQ.c2lnbmVk';

function callOf({ target = '/', headers = [], body = '' }: { target?: string; headers?: string[]; body?: string }) {
  const facts = { id: 'request-1', at: 0, machineAt: 0, clock: 'frozen', origin: 'merchant', method: 'POST' } as const;
  return { kind: 'call', ...facts, target, headers, body: Buffer.from(body) } satisfies CallEntry;
}

function answerOf(text: string): HistoryEntry {
  return { kind: 'answer', of: 'request-1', at: 0, lastEvent: 0, answer: { status: 200, headers: {}, text } };
}

/** What stands in a bundle of these entries, as texts. */
function shown(entries: readonly HistoryEntry[], known: readonly string[] = []): string[] {
  const standIns = new StandIns(known, new Map(), (token) => token === GIVEN_OUT);
  for (const entry of entries) {
    standIns.learnFrom(entry);
  }
  return entries.map((entry) => {
    const other = standIns.inEntry(entry);
    return other.kind === 'call'
      ? `${other.target}\n${other.headers.join('\n')}\n${other.body}`
      : JSON.stringify(other);
  });
}

const bodyShown = (body: string, known?: readonly string[]) => shown([callOf({ body })], known)[0]?.slice(3) ?? '';

describe('a secret', () => {
  const secret = fc
    .string({ minLength: 8, maxLength: 40, unit: 'grapheme-ascii' })
    // A word that the form of a body has anyway is no secret there.
    .filter((text) => /^\S.*\S$/.test(text) && !'merchantApiKey description'.includes(text) && /[^x]/.test(text));

  it('is nowhere in what is written, however it stands there, and keeps its length and its place', () => {
    fc.assert(
      fc.property(secret, (text) => {
        const body = JSON.stringify({ merchantApiKey: text, description: 'a description' });
        const form = String(new URLSearchParams({ apiKey: text }));
        const [json = '', query = '', answer = ''] = shown([
          callOf({ body }),
          callOf({ target: `/pay?${form}`, headers: ['X-Mine', text] }),
          answerOf(JSON.stringify({ message: `no such key: ${text}` })),
        ]);
        const written = JSON.parse(json.slice(3));
        expect(written).toEqual({ merchantApiKey: expect.any(String), description: 'a description' });
        expect(written.merchantApiKey).toHaveLength(text.length);
        if (/[a-z\d]{3}/i.test(text)) {
          expect([json, query, answer].filter((each) => each.includes(text))).toEqual([]);
        }
        expect(new URLSearchParams(query.split('\n')[0]?.split('?')[1]).get('apiKey')).toBe(written.merchantApiKey);
        expect(answer).toContain(JSON.stringify(JSON.stringify(written.merchantApiKey).slice(1, -1)).slice(1, -1));
      }),
    );
  });

  it('is the same text everywhere in one bundle, and another secret another text', () => {
    const [one = '', other = ''] = shown([
      callOf({ body: '{"merchantKey":"key-of-mine-1","apiKey":"key-of-mine-2"}' }),
      callOf({ body: '{"merchantKey":"key-of-mine-1","apiKey":"key-of-mine-2"}' }),
    ]);
    expect(one).toBe(other);
    const { merchantKey, apiKey } = JSON.parse(one.slice(3));
    expect(merchantKey).not.toBe(apiKey);
  });

  it.each([
    ['in broken JSON', '{"merchantApiKey":"own-api-key-1",'],
    ['in broken JSON in a list', '{"secrets":["own-api-key-1",'],
    ['in broken JSON in an object', '{"token":{"value":"own-api-key-1",'],
    ['in a part of a form', '--x\r\nContent-Disposition: form-data; name="apiKey"\r\n\r\nown-api-key-1\r\n--x--'],
    ['in an address', '{"webhookUrl":"https://shop:own-api-key-1@shop.test/"}'],
    ['as a token in a sentence', '{"note":"it is eyJhbGciOiJub25lIn0.own-api-key-1.abc"}'],
    ['in a part without quotes', '--x\r\nContent-Disposition: form-data; name=apiKey\r\n\r\nown-api-key-1\r\n--x--'],
    [
      'below the first line of a part',
      '--x\r\nContent-Disposition: form-data; name="apiKey"\r\n\r\none\r\nown-api-key-1\r\n--x--',
    ],
    ['in a list', '{"apiKey":["own-api-key-1"]}'],
    ['in an object', '{"apiKey":{"value":{"text":"own-api-key-1"}}}'],
    ['in the query of an address', '{"webhookUrl":"https://shop.test/hook?token=own-api-key-1&a=b"}'],
    ['below a name of the own code', '{"client_secret":"own-api-key-1"}'],
    ['below a name that ends with one of a card', '{"cardCvv":"own-api-key-1"}'],
  ])('is found %s', (_where, body) => {
    expect(bodyShown(body)).not.toContain('own-api-key-1');
  });

  it.each(['x-api-key', 'Proxy-Authorization'])('is found in the header %s', (name) => {
    expect(shown([callOf({ headers: [name, 'Basic own-api-key-1'] })])[0]).not.toContain('own-api-key-1');
  });

  it.each([
    ['by their numbers', 'own/key-ä1', '\\u006f\\u0077\\u006e\\u002f\\u006b\\u0065\\u0079\\u002d\\u00e4\\u0031'],
    ['some by their numbers', 'own/key-ä1', 'own/key-\\u00e41'],
    ['slashes with a backslash', 'own/key-1', 'own\\/key-1'],
  ])('is found where JSON has characters %s, and stays written so', (_how, text, written) => {
    for (const body of [
      `{"apiKey":"${written}","note":"\\u00e4/\\/ it is ${written}"}`,
      `{"apiKey":"${written}", broken`,
    ]) {
      const replaced = bodyShown(body);
      const other = /"apiKey":"([^"]*)"/.exec(replaced)?.[1] ?? '';
      expect(other).not.toBe(written);
      expect(other).toHaveLength(written.length);
      expect(JSON.parse(`"${other}"`)).not.toBe(text);
      expect(replaced).toBe(body.replaceAll(written, other));
    }
  });

  it('is found where an address has bytes in lower case', () => {
    const target = '/pay?apiKey=own%2fkey%2b1&note=%2f';
    const replaced = (shown([callOf({ target })])[0] ?? '').trim();
    expect(replaced).toMatch(/^\/pay\?apiKey=[a-z]{3}%2f[a-z]{3}%2b\d&note=%2f$/);
    expect(replaced).not.toBe(target);
  });

  it.each([
    ['little', Buffer.from('{"apiKey":"own-api-key-1"}', 'utf16le')],
    ['big', Buffer.from('{"apiKey":"own-api-key-1"}', 'utf16le').swap16()],
  ])('is found in UTF-16 whose %s end is first', (_end, body) => {
    expect(shown([{ ...callOf({}), body }])[0]?.replaceAll('\0', '')).not.toContain('own-api-key-1');
  });

  it('that is a number has another one in its place, whichever secret it is', () => {
    const bodies = Array.from(
      { length: 40 },
      (_, index) => `{"cvv":${200 + index},"cardNumber":${4111111111111111 + index}}`,
    );
    for (const written of shown(bodies.map((body) => callOf({ body })))) {
      expect(JSON.parse(written.slice(3))).toEqual({ cvv: expect.any(Number), cardNumber: expect.any(Number) });
    }
  });

  it('is replaced behind its name alone where it is short', () => {
    const written = JSON.parse(bodyShown('{"pin":"1234","amount":"1234.00","reference":"ORDER-1234"}'));
    expect(written).toEqual({ pin: expect.not.stringMatching(/^1234$/), amount: '1234.00', reference: 'ORDER-1234' });
  });
});

describe('secrets that are parts of each other, and of what is no secret', () => {
  /** Parts of one text, and texts that have it in them. What begins or ends with a quote looks like a shorter one with those of JSON. */
  const related = fc
    .string({ minLength: 2, maxLength: 24, unit: fc.constantFrom(...'abcDE012-._~+/"é') })
    .chain((base) =>
      fc.uniqueArray(
        fc.oneof(
          fc.constant(base),
          fc.tuple(fc.nat(base.length), fc.nat(base.length)).map(([from, to]) => base.slice(from, to)),
          fc.tuple(fc.constantFrom('', 'x', '0-'), fc.constantFrom('', 'y', '.1')).map((around) => around.join(base)),
        ),
        { minLength: 2, maxLength: 6 },
      ),
    )
    .map((texts) => texts.filter((text) => text.length > 1 && !/^"|"$/.test(text)))
    .filter((texts) => texts.length > 1 && !texts.some((text) => 'merchantApiKey'.includes(text)));

  it('each have a text of their own wherever they stand, and what is no secret stays', () => {
    fc.assert(
      fc.property(related, fc.nat(2), (texts, knownCount) => {
        const known = texts.slice(0, knownCount);
        const calls = texts.flatMap((text) => [
          callOf({ body: JSON.stringify({ merchantApiKey: text }) }),
          callOf({ target: `/?${new URLSearchParams({ merchantApiKey: text })}` }),
          callOf({ headers: ['x-api-key', text.replaceAll('é', 'e')] }),
        ]);
        const replaced = shown([...calls.toReversed(), ...calls], known).slice(calls.length);
        const standIns = texts.map((text, index) => {
          const [body = '', query = '', header = ''] = replaced.slice(3 * index);
          const { merchantApiKey: standIn } = JSON.parse(body.slice(3));
          expect(new URLSearchParams(query.slice(2, query.indexOf('\n'))).get('merchantApiKey')).toBe(standIn);
          if (!text.includes('é')) {
            expect(header.split('\n')[2]).toBe(standIn);
          }
          return standIn;
        });
        expect(new Set(standIns).size).toBe(texts.length);
        expect(standIns.slice(0, knownCount)).toEqual(known);
      }),
    );
  });

  it.each([
    ['the beginning', 'test-merchant-key-100'],
    ['the end', 'merchant-key-1000'],
    ['a part', 'merchant-key'],
  ])('leave a key of the fixtures whole that one of them is %s of', (_part, wrong) => {
    const right = 'test-merchant-key-1000';
    const texts = [
      `{"merchantKey":"${wrong}","note":"${right}, not ${wrong}"}`,
      `{"merchantKey":"${right}x","note":"${right}"}`,
    ];
    const [one = '', other = ''] = shown(
      texts.map((body) => callOf({ body })),
      [right],
    );
    expect([one, other].map((each) => JSON.parse(each.slice(3)).note.split(',')[0])).toEqual([right, right]);
    expect(one).not.toContain(`"${wrong}"`);
    expect(one).not.toContain(`not ${wrong}`);
    expect(other).not.toContain(`${right}x`);
  });

  it('leave a token whole that the sandbox gave out, where one of them is its beginning', () => {
    const wrong = GIVEN_OUT.slice(0, 20);
    const [, right] = shown([
      callOf({ headers: ['Authorization', `Bearer ${wrong}`] }),
      callOf({ headers: ['Authorization', `Bearer ${GIVEN_OUT}`] }),
    ]);
    expect(right).toContain(GIVEN_OUT);
  });
});

describe('a card number', () => {
  it('is none where its digits are those of a UUID, such as a form has', () => {
    const body = 'form=41111111-1111-1111-abcd-abcdefabcdef.proof';
    expect(bodyShown(body)).toBe(body);
  });

  it.each([CARD, '4111 1111 1111 1111', '4111-1111-1111-1111'])('%s is replaced wherever it stands', (number) => {
    const { note } = JSON.parse(bodyShown(JSON.stringify({ note: `paid by ${number}` })));
    const other = note.slice('paid by '.length);
    expect(other).toMatch(/^\d{4}([ -]?)\d{4}\1\d{4}\1\d{4}$/);
    expect(other).not.toBe(number);
    expect(passesLuhn(other.replace(/\D/g, ''))).toBe(true);
  });

  it('that has a wrong check digit has a wrong one still', () => {
    const { cardNumber } = JSON.parse(bodyShown('{"cardNumber":"4111111111111112"}'));
    expect(cardNumber).not.toBe('4111111111111112');
    expect(passesLuhn(cardNumber)).toBe(false);
  });

  it('of the fixtures stays, however it is written', () => {
    const body = '{"cardNumber":"4111111111111111","note":"4111 1111 1111 1111"}';
    expect(bodyShown(body, [CARD])).toBe(body);
  });
});

describe('what the sandbox gave out', () => {
  it('is no secret', () => {
    const [, call] = shown([
      answerOf('{"token":"a-token-from-here"}'),
      callOf({ body: '{"token":"a-token-from-here"}' }),
    ]);
    expect(call).toContain('a-token-from-here');
  });

  it('is none either where it did so before the history began', () => {
    expect(shown([callOf({ headers: ['Authorization', `Bearer ${GIVEN_OUT}`] })])[0]).toContain(GIVEN_OUT);
  });
});

describe('thousands of secrets', () => {
  const bodies = Array.from({ length: 3000 }, (_, index) => ({
    merchantKey: `wrong-key-${index}-of-many`,
    pin: String(1000 + index),
    [`a${index}Secret`]: `s${index}`,
    description: `call ${index}`,
  }));

  it('are replaced, each by the same text wherever it is', () => {
    const calls = bodies.map((body) => callOf({ body: JSON.stringify(body) }));
    const written = shown([...calls, ...calls]).map((text) => JSON.parse(text.slice(3)));
    expect(written.slice(0, calls.length)).toEqual(written.slice(calls.length));
    expect(new Set(written.map(({ merchantKey }) => merchantKey)).size).toBe(calls.length);
    for (const [index, body] of bodies.entries()) {
      expect(Object.keys(written[index])).toEqual(Object.keys(body));
      expect(written[index].description).toBe(body.description);
      expect(written[index].merchantKey).not.toBe(body.merchantKey);
      expect(written[index][`a${index}Secret`]).not.toBe(`s${index}`);
    }
  });
});

it('secrets are prepared in steps, between which other work has its turn', () => {
  const standIns = new StandIns([], new Map(), () => false);
  for (let index = 0; index < 100; index += 1) {
    standIns.learnFrom(callOf({ body: JSON.stringify({ merchantKey: `wrong-key-${index}` }) }));
  }
  expect([...standIns.prepare()].length).toBeGreaterThan(100);
});

it('leaves out what lets somebody in here', () => {
  expect(
    shown([callOf({ headers: ['Cookie', 'a=b', 'X-Sandbox-Control-Token', 'let-me-in', 'Accept', 'text/plain'] })]),
  ).toEqual(['/\nAccept\ntext/plain\n']);
});
