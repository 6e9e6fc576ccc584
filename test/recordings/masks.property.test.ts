import type { RecordedBody, RecordedCall } from '../../src/base/schema/generated/recordings.ts';
import { Masks } from '../../src/recordings/masks.ts';
import { type Random, randomFrom } from '../random.ts';
import { callAt } from './exchanges.ts';

const AT = '2026-03-01T10:00:00.000Z';
const RUNS = 150;
const CARD = '5555555555554444';

function word(random: Random, length: number): string {
  return Array.from({ length }, () => 'bcdfghjkmnpqrstvwxz'.charAt(random(19))).join('');
}

/** Secret and personal values, by the names of their members. */
function secretValues(random: Random): Record<string, string> {
  return {
    token: `${word(random, 9)}-${1000 + random(9000)}.${word(random, 5)}`,
    merchantApiKey: `k+/${word(random, 12)}==`,
    payerName: `${word(random, 5)} Ö${word(random, 6)}`,
    payerMobile: `26${300_000_000 + random(600_000_000)}`,
    creditAccountNumber: `Q${10_000_000 + random(90_000_000)}`,
    paymentLinkEmail: `${word(random, 6)}@${word(random, 5)}.example.com`,
  };
}

/** Puts values at a place in a call. */
type Place = (values: Record<string, string>, random: Random) => Partial<RecordedCall>;
const answerWith = (body: RecordedBody): Partial<RecordedCall> => ({ answer: { status: 200, headers: [], body } });
const PLACES: readonly Place[] = [
  (values) => ({ body: { json: { z: null, inner: [{ ...values, empty: '' }] } } }),
  (values) => answerWith({ json: { note: `Of ${Object.values(values).join(', ')}.` } }),
  (values) => answerWith({ text: `${JSON.stringify(values).slice(0, -1)},"cut":` }),
  (values) => ({
    body: {
      text: Object.entries(values)
        .map(([name, value]) => `<${name} a="1">${value}</${name}>`)
        .join('\n'),
    },
  }),
  (values) => ({ target: `/x?${new URLSearchParams(values)}` }),
  (values) => ({ target: `/x/${Object.values(values).map(encodeURIComponent).join('/')}` }),
  (values) => ({ headers: Object.entries(values).map(([name, value]) => ({ name: `X-${name}`, value })) }),
  (values) => ({ headers: [{ name: 'Cookie', value: `a=${values['token']}; b=${values['payerMobile']}` }] }),
  (values) => ({
    headers: [{ name: 'Authorization', value: `Basic ${Buffer.from(`me:${values['token']}`).toString('base64')}` }],
  }),
  (values) => ({ body: { form: Object.entries(values).map(([name, value]) => ({ name, value })) } }),
  (values) => ({
    headers: [{ name: 'Content-Type', value: 'application/x-www-form-urlencoded' }],
    body: { text: String(new URLSearchParams(values)) },
  }),
  (values) => ({
    body: { json: { raw: JSON.stringify(values), url: `https://a.test/?${new URLSearchParams(values)}` } },
  }),
  (_, random) => {
    const separator = [' ', '-', '\u00a0', ''][random(4)] ?? '';
    return answerWith({ json: { note: `card ${CARD.match(/.{4}/g)?.join(separator)} 12/27` } });
  },
];

function spellings(value: string): string[] {
  return [
    value,
    encodeURIComponent(value),
    new URLSearchParams({ '': value }).toString().slice(1),
    JSON.stringify(value).slice(1, -1),
    Buffer.from(`me:${value}`).toString('base64'),
  ];
}

test.each(Array.from({ length: RUNS }, (_, seed) => seed))(
  'no secret or personal value is left in the masked recording, seed %d',
  (seed) => {
    const random = randomFrom(seed);
    const masks = new Masks();
    const values = secretValues(random);
    // Values are known from the first exchange in which a name shows that they are secret.
    const first = masks.maskExchange(callAt(AT, { body: { json: values } }));
    const standIns = (first.body as { json: Record<string, string> }).json;
    for (let count = 0; count < 6; count += 1) {
      const place = PLACES[random(PLACES.length)] ?? (() => ({}));
      const call = masks.maskExchange(callAt(AT, place(values, random)));
      const written = JSON.stringify(call);
      for (const value of Object.values(values)) {
        for (const spelling of spellings(value)) {
          expect(written).not.toContain(spelling);
        }
      }
      expect(written.replace(/[\s\u00a0-]/g, '')).not.toContain(CARD);
      const { body } = call;
      if (body && 'json' in body && typeof body.json === 'object' && body.json !== null && 'inner' in body.json) {
        expect(body).toEqual({ json: { z: null, inner: [{ ...standIns, empty: '' }] } });
      }
    }
    expect(standIns['payerMobile']).toMatch(/^\d{11}$/);
    expect(standIns['payerName']).toMatch(/^\*{3}[\da-f]{8}$/);
  },
);
