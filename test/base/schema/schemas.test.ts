import { readdirSync } from 'node:fs';
import ajv2020 from 'ajv/dist/2020.js';
import { loadSchema } from '../../../src/base/schema/load-schema.ts';
import { validate } from '../../../src/base/schema/validation.ts';
import { exampleOf } from '../../interface/examples.ts';

type Schema = Record<string, unknown>;

const NAMES = readdirSync('schemas', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.replace('.json', ''));

const LENIENT = [
  'amount-from-number',
  'integer-from-digits',
  'default-empty',
  'may-be-empty',
  'image-as-text',
  'any-image-type',
  'boolean-from-any-text',
  'may-be-empty-or-absent',
];

const namesIn = (folder: string) => NAMES.filter((name) => name.startsWith(`${folder}/`));

/** One instance for all tests, because the meta-schema takes long to compile. */
const ajv = new ajv2020.Ajv2020();

/** The schema and every schema within it. */
function partsOf(value: unknown): Schema[] {
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  return [...(Array.isArray(value) ? [] : [value as Schema]), ...Object.values(value).flatMap(partsOf)];
}

it.each(NAMES)('the schema %s is a JSON Schema, has the name of its file, and compiles', async (name) => {
  const schema = loadSchema(name);
  expect([ajv.validateSchema(schema), ajv.errors]).toEqual([true, null]);
  expect([schema['$schema'], schema['$id']]).toEqual(['https://json-schema.org/draft/2020-12/schema', `${name}.json`]);
  // A number fits no schema, so a finding means that the validator ran.
  expect(await validate(name, 7.5)).toContainEqual(expect.objectContaining({ path: '$' }));
});

it('every schema has a unique title, because its generated type is named after it', () => {
  const titles = NAMES.map((name) => loadSchema(name)['title']);
  expect(new Set(titles).size).toBe(NAMES.length);
  expect(titles.filter((title) => !/^([A-Z][a-z]*)+$/.test(String(title)))).toEqual([]);
});

it.each([...namesIn('requests'), ...namesIn('responses')])(
  'the schema %s allows only listed members in every object',
  (name) => {
    const open = partsOf(loadSchema(name)).filter(
      (part) => part['type'] === 'object' && part['additionalProperties'] !== false,
    );
    // Clients do not send the members of the image: the form parser adds them to describe the file.
    expect(open.filter((part) => part['x-lenient'] !== 'image-as-text')).toEqual([]);
  },
);

it.each(namesIn('requests'))('the schema %s limits every text and list, and names only known leniencies', (name) => {
  const parts = partsOf(loadSchema(name)['properties']).filter((part) => part['x-lenient'] !== 'image-as-text');
  const texts = parts.filter((part) => [part['type']].flat().includes('string') && !part['enum']);
  const bounded = (part: Schema) => part['maxLength'] ?? part['pattern'] ?? (part['format'] === 'date' || undefined);
  const inImage = new Set(partsOf((loadSchema(name)['properties'] as Schema)['paymentLinkImage']));
  expect(texts.filter((part) => bounded(part) === undefined && !inImage.has(part))).toEqual([]);
  expect(parts.filter((part) => part['type'] === 'array' && part['maxItems'] === undefined)).toEqual([]);
  const leniencies = parts.flatMap((part) => (typeof part['x-lenient'] === 'string' ? [part['x-lenient']] : []));
  expect(leniencies.filter((leniency) => !LENIENT.includes(leniency))).toEqual([]);
});

it.each(namesIn('requests'))('the examples in %s are valid', async (name) => {
  const image = { fileName: 'stall.png', mediaType: 'image/png', size: 68 };
  const example = exampleOf(name, name === 'requests/payment-link' ? { paymentLinkImage: image } : {});
  expect(await validate(name, example)).toEqual([]);
});
