import { checkSchema, matchesSchema } from '../../src/schema/given-schema.ts';

it('matches a value by a schema that stands in a fixture', async () => {
  const schema = { properties: { amount: { const: '13.00' } }, required: ['amount'] };
  expect(await checkSchema(schema, '$')).toEqual([]);
  expect(await matchesSchema(schema, { amount: '13.00', more: 1 })).toBe(true);
  expect(await matchesSchema(schema, { amount: '14.00' })).toBe(false);
});

it.each([
  [{ $id: 'mine', type: 'object' }],
  [{ properties: { $ref: { type: 'string' } } }],
  [{ type: ['string', 'null'], minLength: 3 }],
  [{ properties: { when: { format: 'date-time' }, who: { format: 'email' }, span: { format: 'duration' } } }],
  [{ patternProperties: { '^a+$': { pattern: '^[0-9]{4,}\\.\\d{2}$' } } }],
  [{ if: { required: ['a'] }, else: { required: ['b'] }, title: 'x', $comment: 'y', examples: [1] }],
])('takes the schema %j, a second time too', async (schema) => {
  expect(await checkSchema(schema, '$')).toEqual([]);
  expect(await checkSchema({ ...schema }, '$')).toEqual([]);
});

const deep = (levels: number): object => JSON.parse(`${'{"not":'.repeat(levels)}{}${'}'.repeat(levels)}`);

it.each<[object, string[], string]>([
  [{ type: 'sum' }, ['$.when.body.type'], 'equal to one of the allowed values'],
  [{ properties: { a: 5 }, required: 'a' }, ['$.when.body.properties.a', '$.when.body.required'], 'must be'],
  [{ patern: '^a' }, ['$.when.body'], 'unknown keyword: "patern"'],
  [{ format: 'colour' }, ['$.when.body'], 'unknown format "colour"'],
  [{ properties: { a: { $ref: '#' } } }, ['$.when.body'], 'unknown keyword: "$ref"'],
  [{ allOf: [{ $dynamicRef: '#node' }] }, ['$.when.body'], 'unknown keyword: "$dynamicRef"'],
  [{ $async: true }, ['$.when.body'], '$async'],
  [{ $schema: 'http://json-schema.org/draft-04/schema#' }, ['$.when.body'], 'draft-04'],
  [
    { properties: { a: { pattern: '(' }, b: { pattern: '(?=a)b' } }, patternProperties: { '(a)\\1': {} } },
    [
      '$.when.body.properties.a.pattern',
      '$.when.body.properties.b.pattern',
      '$.when.body.patternProperties["(a)\\\\1"]',
    ],
    'error parsing regexp',
  ],
  [{ pattern: '((a{1000}){1000}){1000}' }, ['$.when.body.pattern'], 'repeat'],
  [deep(20_000), ['$.when.body'], 'a deeper one'],
])('refuses the schema %#, naming every place', async (schema, paths, received) => {
  const findings = await checkSchema(schema, '$.when.body');
  expect(findings.map(({ path }) => path).filter((path, index, all) => all.indexOf(path) === index)).toEqual(paths);
  expect(findings[0]?.received).toContain(received);
});

it('answers at once although a pattern would take other engines years', async () => {
  const text = `${'a'.repeat(50)}b`;
  for (const pattern of ['^(a+)+$', '^(a|aa)+$', '^(.*a){20}$', '^([a-z]+)*$']) {
    for (const schema of [{ pattern }, { patternProperties: { [pattern]: false } }]) {
      expect(await checkSchema(schema, '$')).toEqual([]);
    }
    expect(await matchesSchema({ properties: { name: { pattern } } }, { name: `${text}!` })).toBe(false);
    expect(await matchesSchema({ patternProperties: { [pattern]: false } }, { [`${text}!`]: 1 })).toBe(true);
  }
});
