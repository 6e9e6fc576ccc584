import fc from 'fast-check';
import { Ajv2020, addFormats } from '../../../../src/base/schema/ajv.ts';
import { type Document, resolve } from './document.ts';

/** The keywords of JSON Schema that the document uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  pattern?: string;
  enum?: unknown[];
  const?: unknown;
  oneOf?: Schema[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  multipleOf?: number;
  if?: Schema;
}

const DAY_MS = 86_400_000;

/** Bodies that a tool could generate if it knew only the document. */
export function bodiesOf(document: Document, schema: object): fc.Arbitrary<unknown> {
  const fits = validatorOf(document, schema);
  return samplesOf(document, schema).filter((sample) => fits(sample));
}

function samplesOf(document: Document, schema: Schema | { $ref: string }): fc.Arbitrary<unknown> {
  const { oneOf, anyOf, enum: values, ...own } = resolve<Schema>(document, schema);
  if (own.const !== undefined) {
    return fc.constant(own.const);
  }
  if (values) {
    return fc.constantFrom(...values);
  }
  const choices = oneOf ?? anyOf;
  if (choices) {
    return fc.oneof(...choices.map((choice) => samplesOf(document, choice)));
  }
  const types = own.type === undefined ? ['string', 'integer', 'boolean'] : [own.type].flat();
  return fc.oneof(...types.map((type) => ofType(document, type, own)));
}

function ofType(document: Document, type: string, schema: Schema): fc.Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: schema.minimum ?? 0, max: Math.min(schema.maximum ?? 1000, 2 ** 31) });
    case 'number':
      return numbers(schema);
    case 'array':
      return fc.array(samplesOf(document, schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 3, 3),
      });
    case 'object':
      return objects(document, schema);
    default:
      return strings(schema);
  }
}

function numbers({ minimum = 0, maximum = 1000, exclusiveMinimum = -1, multipleOf }: Schema): fc.Arbitrary<number> {
  const isIn = (value: number) => value > exclusiveMinimum && value >= minimum;
  if (multipleOf === undefined) {
    return fc.double({ min: minimum, max: maximum, noNaN: true }).filter(isIn);
  }
  const steps = Math.round(1 / multipleOf);
  const max = Math.min(maximum, 1e9) * steps;
  return fc.integer({ min: minimum * steps, max: Math.min(max, 2 ** 31) }).map((each) => each / steps);
}

function strings({ pattern, format, minLength = 0, maxLength = 20 }: Schema): fc.Arbitrary<string> {
  if (pattern !== undefined) {
    return fc.stringMatching(new RegExp(pattern)).filter((text) => text.length <= Math.max(maxLength, 2000));
  }
  switch (format) {
    case undefined:
      return fc.string({ minLength, maxLength: Math.min(maxLength, 20) });
    case 'date':
      return fc.integer({ min: 0, max: 20_000 }).map((day) => new Date(day * DAY_MS).toISOString().slice(0, 10));
    case 'date-time':
      return fc.integer({ min: 0, max: 20_000 }).map((day) => new Date(day * DAY_MS).toISOString());
    case 'binary':
      return fc.constant(`\u0000file`);
    case 'email':
      return fc.emailAddress();
    default:
      throw new Error(`the document has an unknown format: ${format}`);
  }
}

function objects(document: Document, { properties = {}, required = [] }: Schema): fc.Arbitrary<unknown> {
  const members = Object.entries(properties).map(([name, member]) => [name, samplesOf(document, member)] as const);
  return fc.record(Object.fromEntries(members), { requiredKeys: required });
}

/** Returns a validator that has only the schema and the document, like any tool. */
function validatorOf({ components }: Document, schema: object): (value: unknown) => boolean {
  const ajv = new Ajv2020({ strict: false, multipleOfPrecision: 6 });
  addFormats(ajv);
  ajv.addFormat('binary', true);
  return ajv.compile({ ...schema, components });
}
