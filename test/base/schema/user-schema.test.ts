import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import type { ScenarioFixture } from '../../../src/base/schema/generated/fixtures.ts';
import { sizeOf } from '../../../src/base/schema/json-size.ts';
import { loadSchema } from '../../../src/base/schema/load-schema.ts';
import {
  checkSchema,
  MAX_PATTERN_STEPS,
  MAX_SCHEMA_SIZE,
  matchesSchema,
} from '../../../src/base/schema/user-schema.ts';
import { checkScenario } from '../../../src/server/config/check-scenario.ts';
import { loadFixtures } from '../../../src/server/config/fixtures.ts';
import { cases } from '../../cases.ts';

it('a value is matched against the schema of a user', async () => {
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
])('the schema %j is accepted, even a second time', async (schema) => {
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
])('the schema %# is refused with every place that is wrong', async (schema, paths, received) => {
  const findings = await checkSchema(schema, '$.when.body');
  expect(findings.map(({ path }) => path).filter((path, index, all) => all.indexOf(path) === index)).toEqual(paths);
  expect(findings[0]?.received).toContain(received);
});

it('a pattern that would take other engines years is matched at once', async () => {
  const text = `${'a'.repeat(50)}b`;
  for (const pattern of ['^(a+)+$', '^(a|aa)+$', '^(.*a){20}$', '^([a-z]+)*$']) {
    for (const schema of [{ pattern }, { patternProperties: { [pattern]: false } }]) {
      expect(await checkSchema(schema, '$')).toEqual([]);
    }
    expect(await matchesSchema({ properties: { name: { pattern } } }, { name: `${text}!` })).toBe(false);
    expect(await matchesSchema({ patternProperties: { [pattern]: false } }, { [`${text}!`]: 1 })).toBe(true);
  }
});

describe('an expensive schema', () => {
  const compile = import.meta.jest.spyOn(Ajv2020.prototype, 'compile');
  beforeEach(() => compile.mockClear());
  afterAll(() => compile.mockRestore());

  const many = <Each>(count: number, make: (index: number) => Each) =>
    Array.from({ length: count }, (_, index) => make(index));
  const membersNamed = (count: number, value: unknown) =>
    Object.fromEntries(many(count, (index) => [`p${index}`, value]));
  const doubled = (levels: number, keyword: string): object =>
    levels === 0 ? { type: 'string' } : { [keyword]: many(2, () => doubled(levels - 1, keyword)) };

  it.each<[string, object, string]>([
    ['many properties', { properties: membersNamed(MAX_SCHEMA_SIZE.values, {}) }, 'a larger one'],
    ['many alternatives of alternatives', doubled(8, 'anyOf'), 'a larger one'],
    ['many nested oneOf', doubled(8, 'oneOf'), 'a larger one'],
    [
      'a property that is called enum',
      { properties: { enum: { properties: membersNamed(MAX_SCHEMA_SIZE.values, {}) } } },
      'a larger one',
    ],
    ['a long list', { enum: many(20_000, (index) => `value ${index}`) }, 'a larger one'],
    ['a long text', { title: 'x'.repeat(MAX_SCHEMA_SIZE.characters) }, 'a larger one'],
    ['a long name', { properties: { ['x'.repeat(MAX_SCHEMA_SIZE.characters)]: {} } }, 'a larger one'],
    ['many patterns', { allOf: many(90, (index) => ({ pattern: `(x+x+)+y{20}${index}` })) }, 'patterns of'],
    ['a pattern with many repetitions', { pattern: '(a|b|c|d){900}' }, 'patterns of'],
    ['names that must match such a pattern', { patternProperties: { '(a|b|c|d){900}': {} } }, 'patterns of'],
  ])('is refused before it is compiled: %s', async (_title, schema, received) => {
    const [finding] = await checkSchema(schema, '$.when.body');
    expect(finding).toMatchObject({ path: '$.when.body', received: expect.stringContaining(received) });
    expect(compile).not.toHaveBeenCalled();
  });

  it('is refused if the schemas of a scenario together exceed the limit, although each one alone does not', async () => {
    const fixtures = await loadFixtures();
    const body = { properties: membersNamed(200, {}) };
    const scenario = (rules: object[]) => ({ name: 'many', description: 'many rules', rules }) as ScenarioFixture;
    const credits = [{ outcome: 'Paid', when: { body } }];
    const small = many(1001, () => ({ when: { body: {} } }));
    for (const rules of [many(30, () => ({ when: { body } })), many(30, () => ({ credits })), small] as object[][]) {
      expect(await checkScenario(scenario(rules), fixtures)).toEqual([
        expect.objectContaining({ path: '$.rules', received: 'more' }),
      ]);
    }
    expect(compile).not.toHaveBeenCalled();
    expect(await checkScenario(scenario(many(20, () => ({ when: { body } })) as object[]), fixtures)).toEqual([]);
  });
});

it('the limits of a schema are documented in the schema of scenarios', () => {
  const bodies = JSON.stringify(loadSchema('fixtures/scenario')).match(
    /a JSON Schema \(2020-12\) that the body must fit[^"]*/g,
  );
  expect(bodies).toHaveLength(1);
  for (const bound of [MAX_SCHEMA_SIZE.characters, MAX_SCHEMA_SIZE.values, MAX_PATTERN_STEPS, 1_048_576, 5000]) {
    expect(bodies?.[0]).toContain(bound.toLocaleString('en'));
  }
});

it('the size of a JSON value counts all members and items, and no more characters than its text has', () => {
  const membersIn = (value: unknown): number =>
    typeof value === 'object' && value !== null
      ? Object.values(value).reduce((sum: number, each) => sum + 1 + membersIn(each), 0)
      : 0;
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const { characters, values } = sizeOf([value], { characters: 1e9, values: 1e9 });
      expect(characters).toBeLessThanOrEqual(JSON.stringify([value]).length);
      expect(values).toBe(membersIn([value]));
    }),
    { numRuns: cases(200) },
  );
});

describe('compiling schemas', () => {
  it('happens only once for all copies of a schema', async () => {
    const compile = import.meta.jest.spyOn(Ajv2020.prototype, 'compile');
    const text = '{"properties":{"once":{"const":"compiled once"}}}';
    for (const copy of [1, 2, 3]) {
      expect(await checkSchema(JSON.parse(text), '$')).toEqual([]);
      expect(await matchesSchema(JSON.parse(text), { once: copy })).toBe(false);
    }
    expect(compile).toHaveBeenCalledTimes(1);
    compile.mockRestore();
  });

  it('lets other work run between two schemas', async () => {
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns += 1;
      if (!isOver) {
        setImmediate(count);
      }
    };
    setImmediate(count);
    const schemas = Array.from({ length: 20 }, (_, index) => ({ const: `one of many ${index}` }));
    await Promise.all(schemas.map((schema) => checkSchema(schema, '$')));
    isOver = true;
    expect(turns).toBeGreaterThanOrEqual(schemas.length - 1);
  });
});
