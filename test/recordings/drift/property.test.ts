import fc from 'fast-check';
import { cases } from '../../cases.ts';
import { answeredCall, compareSides } from './compared.ts';

/** Names and words that no noise rule matches. */
const NAME = fc.stringMatching(/^[b-h]{1,6}$/);
const WORD = fc.stringMatching(/^[k-z]{3,12}$/);
const LEAF = fc.oneof(WORD, fc.integer({ min: 0, max: 99 }), fc.boolean(), fc.constant(null), fc.constant(''));
const BODY = fc.dictionary(NAME, fc.oneof(LEAF, fc.dictionary(NAME, LEAF, { minKeys: 1 }), fc.array(LEAF)), {
  minKeys: 1,
});

const compare = (recorded: object, sandbox: object) =>
  compareSides({ calls: [answeredCall(recorded)] }, { calls: [answeredCall(sandbox)] }).differences;

test('an answer does not differ from itself', () => {
  fc.assert(
    fc.property(BODY, (body) => expect(compare(body, structuredClone(body))).toEqual([])),
    { numRuns: cases(100) },
  );
});

test('a member that is missing, added or changed is the only difference', () => {
  fc.assert(
    fc.property(BODY, WORD, (body, word) => {
      const [name = ''] = Object.keys(body);
      const { [name]: _, ...otherValues } = body;
      const differencesOf = (recorded: object, sandbox: object) =>
        compare(recorded, sandbox).map(({ kind, place }) => [kind, place]);
      expect(differencesOf(body, otherValues)).toEqual([['missing-member', `$.${name}`]]);
      expect(differencesOf(otherValues, body)).toEqual([['new-member', `$.${name}`]]);
      expect(differencesOf({ ...body, [name]: `a${word}` }, { ...body, [name]: `i${word}` })).toEqual([
        ['word', `$.${name}`],
      ]);
    }),
    { numRuns: cases(100) },
  );
});

test('no noise rule hides a different type of a member', () => {
  const names = fc.constantFrom('id', 'paymentId', 'email', 'token', 'paymentCode', 'createdAt', 'amount');
  const texts = fc.oneof(
    fc.uuid(),
    fc.emailAddress(),
    fc.webUrl(),
    fc.string({ minLength: 1 }),
    fc.constant('*** 1a2b3c4d'),
  );
  const otherValues = fc.oneof(fc.integer(), fc.boolean(), fc.constant({}), fc.constant([]));
  fc.assert(
    fc.property(names, texts, otherValues, (name, text, other) => {
      expect(compare({ [name]: text }, { [name]: other }).map(({ kind }) => kind)).toEqual(['type']);
    }),
    { numRuns: cases(100) },
  );
});
