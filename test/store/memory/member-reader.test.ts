import * as fc from 'fast-check';
import { MemberReader } from '../../../src/store/memory/member-reader.ts';
import { anyCharacter } from '../../any-character.ts';
import { cases } from '../../cases.ts';

const WANTED = ['id', 'dueAt', 'state', 'paymentId'];
const reader = new MemberReader(WANTED);

const anyText = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.constantFrom('a "quoted" one', '\\', '\\"', '{"id":"inner"}', 'é', '€'),
);
const anyFact = fc.oneof(anyText, fc.integer(), fc.constant(null));
/** Records have members of these names, too, whose values nobody looks for. */
const anyOther = fc.oneof(
  anyText,
  fc.double({ noNaN: true }),
  fc.boolean(),
  fc.jsonValue(),
  fc.constant({ id: 'inner', dueAt: [1] }),
);

const anyRecord = fc
  .tuple(
    fc.dictionary(fc.constantFrom(...WANTED), anyFact),
    fc.dictionary(
      fc.oneof(
        fc.constantFrom('ids', 'ID', 'history', 'states'),
        fc.stringMatching(/^[a-z]{1,9}$/).filter((name) => !WANTED.includes(name)),
      ),
      anyOther,
    ),
  )
  .chain(([facts, others]) => fc.shuffledSubarray(Object.entries({ ...others, ...facts }), { minLength: 0 }))
  .map((entries) => Object.fromEntries(entries));

it('reads of any record what a parser would, of the members that are wanted', () => {
  fc.assert(
    fc.property(anyRecord, (record) => {
      const wanted = Object.entries(record).filter(([name]) => WANTED.includes(name));
      const json = JSON.stringify(record);
      expect(reader.read(Buffer.from(json))).toEqual(JSON.parse(JSON.stringify(Object.fromEntries(wanted))));
    }),
    { numRuns: cases(1000) },
  );
});

it('comes to an end with any bytes whatsoever', () => {
  const json = Buffer.from('{"id":"payment-1","history":[{"to":"Paid \\"once\\""}],"dueAt":1700000000000}');
  for (let length = 0; length < json.length; length += 1) {
    expect(typeof reader.read(json.subarray(0, length))).toBe('object');
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      expect(typeof reader.read(Buffer.from(bytes))).toBe('object');
    }),
  );
});
