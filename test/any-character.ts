import fc from 'fast-check';

/** Any character of Unicode. fast-check's own unit `binary` makes a table of them all first, which takes a second in each test file. */
export const anyCharacter = fc
  .oneof(fc.nat(0x7f), fc.integer({ min: 0x80, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((point) => String.fromCodePoint(point));
