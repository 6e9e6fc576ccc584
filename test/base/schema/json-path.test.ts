import fc from 'fast-check';
import { keysIn, memberPath } from '../../../src/base/schema/json-path.ts';
import { anyCharacter } from '../../any-character.ts';
import { cases } from '../../cases.ts';

it('a path can be read back into its names and indexes, for any characters', () => {
  const keys = fc.array(fc.oneof(fc.string({ maxLength: 60, unit: anyCharacter }), fc.nat()));
  fc.assert(
    fc.property(keys, (path) => {
      expect(keysIn(path.reduce<string>(memberPath, '$'))).toEqual(path.map((key) => String(key).slice(0, 60)));
    }),
    { numRuns: cases(100) },
  );
});
