import type { RecordedAnswer, RecordedBody } from '../../../src/base/schema/generated/recordings.ts';
import { CarriedValues } from '../../../src/recordings/player/carried-values.ts';
import { cases } from '../../cases.ts';
import { randomFrom } from '../../random.ts';
import { callAt } from '../exchanges.ts';
import { BEGIN } from './tape.ts';

type Json = Extract<RecordedBody, { json: unknown }>['json'];

const answer = (json: Json): RecordedAnswer => ({ status: 200, headers: [], body: { json } });

let values: CarriedValues;
beforeEach(() => {
  values = new CarriedValues();
});

const bodyOf = (json: Json) => values.replaceIn(callAt(BEGIN, { body: { json } })).body;
const targetOf = (target: string) => values.replaceIn(callAt(BEGIN, { target })).target;

test('an id in an answer is replaced by the current one in path, query, headers and bodies', () => {
  values.learn(
    answer({ paymentId: 'ABC123456', list: [{ token: 'ey1.a/b+c==' }] }),
    answer({ paymentId: 'XYZ7', list: [{ token: 'ey2/d' }] }),
  );
  const call = values.replaceIn(
    callAt(BEGIN, {
      target: '/pay/ABC123456?code=ABC123456&token=ey1.a%2Fb%2Bc%3D%3D&other=1',
      headers: [{ name: 'Authorization', value: 'Bearer ey1.a/b+c==' }],
      body: { json: { id: 'ABC123456', text: 'for ABC123456, please', deep: [['ey1.a/b+c==']] } },
    }),
  );
  expect(call).toEqual({
    method: 'GET',
    target: '/pay/XYZ7?code=XYZ7&token=ey2%2Fd&other=1',
    headers: [{ name: 'Authorization', value: 'Bearer ey2/d' }],
    body: { json: { id: 'XYZ7', text: 'for XYZ7, please', deep: [['ey2/d']] } },
  });
});

test('an id in parts of a form and in a text is replaced, too, but not in files', () => {
  values.learn(answer({ id: 1844, code: 'ABC123456' }), answer({ id: 2, code: 'XYZ7' }));
  const file = { name: 'id', fileName: 'ABC123456', contentType: 'image/png', size: 1, head: 'AA==' };
  const form = [{ name: 'id', value: '1844' }, { name: 'amount', value: '1844' }, file];
  expect(values.replaceIn(callAt(BEGIN, { body: { form } })).body).toEqual({
    form: [{ name: 'id', value: '2' }, { name: 'amount', value: '1844' }, file],
  });
  expect(values.replaceIn(callAt(BEGIN, { body: { text: 'code=ABC123456&x=1' } })).body).toEqual({
    text: 'code=XYZ7&x=1',
  });
});

test('a number counts as an id only under its own name and in a path', () => {
  values.learn(answer({ id: 7, accountId: 8, amountPaid: 9 }), answer({ id: 70, accountId: 80, amountPaid: 90 }));
  expect(bodyOf({ id: 7, other: 7, profileId: 7, accountId: 8, amountPaid: 9 })).toEqual({
    json: { id: 70, other: 7, profileId: 7, accountId: 80, amountPaid: 9 },
  });
  expect(targetOf('/cancel/7?id=7&page=7')).toBe('/cancel/70?id=70&page=7');
});

test.each(['Processing', '000.100.110', '10.00', '2026-03-01T10:00:00.000Z', '2026-03-01', 'created 1 checkout', '00'])(
  'a word, number or time (%s) is not replaced if it differs',
  (word) => {
    values.learn(answer({ paymentId: word }), answer({ paymentId: 'OTHER-1' }));
    expect(bodyOf({ paymentId: word })).toEqual({ json: { paymentId: word } });
  },
);

test('a value that the program sent first is kept, even if an answer has another one in its place', () => {
  expect(bodyOf({ payerReference: 'ORDER-1' })).toEqual({ json: { payerReference: 'ORDER-1' } });
  values.learn(answer({ paymentId: 'ORDER-1' }), answer({ paymentId: 'XYZ7' }));
  expect(bodyOf({ payerReference: 'ORDER-1' })).toEqual({ json: { payerReference: 'ORDER-1' } });
});

test('the newest answer determines an id, even if it equals the recorded one', () => {
  values.learn(answer({ token: 'ABC123456' }), answer({ token: 'XYZ7' }));
  values.learn(answer({ token: 'ABC123456' }), answer({ token: 'XYZ8' }));
  expect(bodyOf({ token: 'ABC123456' })).toEqual({ json: { token: 'XYZ8' } });
  values.learn(answer({ token: 'ABC123456' }), answer({ token: 'ABC123456' }));
  expect(bodyOf({ token: 'ABC123456' })).toEqual({ json: { token: 'ABC123456' } });
});

test('the newest answer determines an id, even if a call contained the id before', () => {
  values.learn(answer({ token: 'ABC123456' }), answer({ token: 'XYZ7' }));
  expect(bodyOf({ token: 'ABC123456' })).toEqual({ json: { token: 'XYZ7' } });
  values.learn(answer({ token: 'ABC123456' }), answer({ token: 'XYZ8' }));
  expect(bodyOf({ token: 'ABC123456' })).toEqual({ json: { token: 'XYZ8' } });
});

test('the newest answer determines an id, even if an earlier answer repeated the recorded one', () => {
  values.learn(answer({ token: 'ABC123456' }), answer({ token: 'ABC123456' }));
  expect(bodyOf({ token: 'ABC123456' })).toEqual({ json: { token: 'ABC123456' } });
  values.learn(answer({ token: 'ABC123456' }), answer({ token: 'XYZ8' }));
  expect(bodyOf({ token: 'ABC123456' })).toEqual({ json: { token: 'XYZ8' } });
});

test('a number in quotes counts as an id under its own name', () => {
  values.learn(answer({ accountId: '8' }), answer({ accountId: '80' }));
  expect(bodyOf({ accountId: '8', other: '8' })).toEqual({ json: { accountId: '80', other: '8' } });
});

test.each([
  [5, 'kept'],
  [6, 'replaced'],
  [2048, 'replaced'],
  [2049, 'kept'],
])('a text of %i characters is %s', (length, outcome) => {
  const text = '7'.padStart(length, 'A');
  values.learn(answer({ token: text }), answer({ token: 'XYZ7' }));
  expect(bodyOf({ token: text })).toEqual({ json: { token: outcome === 'replaced' ? 'XYZ7' : text } });
});

test('nothing is learned from an answer that is missing or of another shape', () => {
  values.learn(null, answer({ token: 'XYZ7' }));
  values.learn(answer({ token: 'ABC123456', list: ['DEF123456'] }), answer({ token: null, list: {} }));
  expect(bodyOf(['ABC123456', 'DEF123456'])).toEqual({ json: ['ABC123456', 'DEF123456'] });
});

test.each<[string, Json, Json]>([
  ['a number in place of a text', { id: 'ABC123456' }, { id: 1234567 }],
  ['a sentence in place of an id', { id: 'ABC123456' }, { id: 'It does not exist' }],
  ['a list in place of a number', { id: 7 }, { id: [70] }],
  ['null in place of a list', { id: ['ABC123456'] }, { id: null }],
  ['a list in place of an object', { id: { id: 'ABC123456' } }, { id: ['XYZ7'] }],
])('nothing is learned from %s', (_, recorded, played) => {
  values.learn(answer(recorded), answer(played));
  expect(bodyOf(recorded)).toEqual({ json: recorded });
});

test('each of many payments is queried by its own id', () => {
  const random = randomFrom(33);
  const id = () => `P-${random(2 ** 32).toString(36)}-${random(2 ** 32)}`;
  const pairs = Array.from({ length: cases(500) }, () => [id(), id()] as const);
  for (const [recorded, played] of pairs) {
    values.learn(answer({ a: [{ paymentId: recorded }] }), answer({ a: [{ paymentId: played }] }));
    expect(targetOf(`/x?y=${recorded}`)).toBe(`/x?y=${played}`);
  }
  for (const [recorded, played] of pairs.toReversed()) {
    expect(bodyOf({ id: recorded })).toEqual({ json: { id: played } });
  }
});
