import fc from 'fast-check';
import { duplicatesIn } from '../../../../src/server/merchant-api/request-body/json-duplicates.ts';
import { cases } from '../../../cases.ts';
import { read, refusalOf } from '../requests.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const body = (text: string, isLenient: boolean) => read([Buffer.from(text)], JSON_TYPE, { kind: 'json', isLenient });
const pathsIn = (text: string) => duplicatesIn(text, JSON.parse(text)).map(({ path }) => path);

it('the duplicate search finds nothing if every member is unique, for any characters in texts', () => {
  const oddText = fc.string({ unit: fc.constantFrom('a', ':', '"', '{', '}', ',', '\\', ' ') });
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      oddText,
      fc.integer(),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(oddText, tie('value'), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(value, (inside) => {
      expect(pathsIn(JSON.stringify({ inside }, null, 1))).toEqual([]);
    }),
    { numRuns: cases(100) },
  );
});

it.each([
  ['{"a":1,"a":1}', ['$.a']],
  ['{"a":1,"\\u0061":2}', ['$.a']],
  ['{"a":1,"b":{"a":1},"c":[{"d":1},{"d":1,"e":2,"d":3}]}', ['$.c[1].d']],
  ['{"odd name":{"x":1,"x":2,"x":3},"y":"::","y":":"}', ['$["odd name"].x', '$.y']],
  ['{"a":{"b":1,"b":2},"a":{"c":1}}', ['$.a.b', '$.a']],
])('the duplicate search finds the repeated members of %s', (text, paths) => {
  expect(pathsIn(text)).toEqual(paths);
});

it('the duplicate search accepts very deep input and very many members', () => {
  expect(pathsIn(`{"a":${'['.repeat(5000)}${']'.repeat(5000)},"a":1}`)).toEqual(expect.any(Array));
  expect(duplicatesIn(`{${'"a":1,'.repeat(50_000)}"a":1}`, { a: 1 })).toHaveLength(1);
});

it('strict mode refuses duplicate members; lenient mode uses the last one, with a warning', async () => {
  const text = '{"amount":"10.00","amount":"20.00"}';
  const finding = { path: '$.amount', expected: 'one field of this name', received: 'several' };
  const refusal = await refusalOf(body(text, false));
  expect([refusal.kind, refusal.findings]).toEqual(['invalid-field', [{ ...finding, severity: 'error' }]]);
  expect(await body(text, true)).toEqual({
    value: { amount: '20.00' },
    findings: [{ ...finding, severity: 'warning', id: 'SBX-W02' }],
  });
});
