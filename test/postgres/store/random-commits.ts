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

/** Commits of one session with arbitrary texts, also as ids where these are texts. */
export function anyCommit(session: string): fc.Arbitrary<Commit> {
  const change: fc.Arbitrary<RecordChange> = fc.oneof(
    fc
      .tuple(number, text, text)
      .map(([it, description, payerName]) => put('payments', payment(`payment-${it}`, { description, payerName }))),
    fc.tuple(id, text).map(([it, base64]) => put('images', image(it, base64))),
    fc.tuple(number, text).map(([it, body]) => put('deliveries', delivery(`delivery-${it}`, 1, { body }))),
    fc.oneof(
      number.map((it) => remove('payments', `payment-${it}`)),
      number.map((it) => remove('deliveries', `delivery-${it}`)),
      id.map((it) => remove('images', it)),
    ),
  );
  const dice = fc.integer({ min: 0, max: 9 });
  return fc
    .record({ dice, seed: text, changes: fc.array(change, { maxLength: 5 }) })
    .map(({ dice: thrown, seed, changes }) => ({ session, wipe: thrown === 0, state: state({ seed }), changes }));
}

/** All data of a session in a store. */
export async function dataOf(store: Store, session: string): Promise<unknown> {
  const facts = (await store.sessions()).find(({ name }) => name === session);
  const records: Record<string, unknown> = {};
  for (const collection of Object.keys(COLLECTIONS) as CollectionName[]) {
    records[collection] = (await store.list(session, collection, { limit: 9999 })).items;
  }
  return { state: facts?.state, records };
}
