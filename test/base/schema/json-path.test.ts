import fc from 'fast-check';
import { keysIn, memberPath } from '../../../src/base/schema/json-path.ts';
import { anyCharacter } from '../../any-character.ts';
import { cases } from '../../cases.ts';

it('reads back the names and indexes that a path was made of, however odd they are', () => {
  const keys = fc.array(fc.oneof(fc.string({ maxLength: 60, unit: anyCharacter }), fc.nat()));
  fc.assert(
    fc.property(keys, (path) => {
      expect(keysIn(path.reduce<string>(memberPath, '$'))).toEqual(path.map((key) => String(key).slice(0, 60)));
    }),
    { numRuns: cases(100) },
  );
});
