import * as fc from 'fast-check';
import { COLLECTIONS } from '../../../src/server/store/collections.ts';
import type { CollectionName, Commit, RecordChange, Store } from '../../../src/server/store/store.ts';
import { anyCharacter } from '../../any-character.ts';
import { delivery, image, payment, put, remove, state } from '../../server/store/samples.ts';

/** Characters that are special in JSON, in lines or in PostgreSQL's texts. */
const SPECIAL_CHARACTERS = [
  '\ud83d',
  '\u0000',
  '"',
  "'",
  '\\',
  '\n',
  '\r\n',
  '\u2028',
  '\u2029',
  '\t',
  '\\u0000',
  '}\n{',
  '\u{1f34b}',
];

const text = fc.oneof(fc.constantFrom(...SPECIAL_CHARACTERS), fc.string({ unit: anyCharacter, maxLength: 20 }));
const number = fc.constantFrom('1', '2', '3');
const id = fc.oneof({ weight: 3, arbitrary: number }, { weight: 1, arbitrary: text });

/** Commits of one session with arbitrary texts, even as ids of images. */
export function anyCommit(session: string): fc.Arbitrary<Commit> {
  const change: fc.Arbitrary<RecordChange> = fc.oneof(
    fc
      .tuple(number, text, text)
      .map(([digit, description, payerName]) =>
        put('payments', payment(`payment-${digit}`, { description, payerName })),
      ),
    fc.tuple(id, text).map(([imageId, base64]) => put('images', image(imageId, base64))),
    fc.tuple(number, text).map(([digit, body]) => put('deliveries', delivery(`delivery-${digit}`, 1, { body }))),
    fc.oneof(
      number.map((digit) => remove('payments', `payment-${digit}`)),
      number.map((digit) => remove('deliveries', `delivery-${digit}`)),
      id.map((imageId) => remove('images', imageId)),
    ),
  );
  // About one commit in ten wipes the session first.
  const isWipe = fc.integer({ min: 0, max: 9 }).map((digit) => digit === 0);
  return fc
    .record({ wipe: isWipe, seed: text, changes: fc.array(change, { maxLength: 5 }) })
    .map(({ wipe, seed, changes }) => ({ session, wipe, state: state({ seed }), changes }));
}

export async function dataOf(store: Store, session: string): Promise<unknown> {
  const facts = (await store.sessions()).find(({ name }) => name === session);
  const records: Record<string, unknown> = {};
  for (const collection of Object.keys(COLLECTIONS) as CollectionName[]) {
    records[collection] = (await store.list(session, collection, { limit: 9999 })).items;
  }
  return { state: facts?.state, records };
}
