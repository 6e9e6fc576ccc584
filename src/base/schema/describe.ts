import type { SchemaObject } from 'ajv/dist/2020.js';
import { redactSentence } from '../masking/redact.ts';
import { isSecretName } from '../masking/secret-names.ts';
import { DURATION_WORDS, INSTANT_WORDS } from '../time.ts';

const MAX_READ_LENGTH = 1000;

/** Formats with the same meaning, and so the same sentence, everywhere. */
const FORMATS: Readonly<Record<string, string>> = { instant: INSTANT_WORDS, duration: DURATION_WORDS };

/** The form of a date, if a schema has no example. */
const DATE_WORDS = 'a date such as 2026-03-01';

/** The values that a schema allows, in a developer's words: "a decimal with two places, e.g. 10.00". */
export function describeExpectation(error: {
  schema: SchemaObject;
  keyword?: string;
  message?: string | undefined;
}): string {
  const { schema, keyword, message } = error;
  const format = FORMATS[String(schema['format'])];
  if (format !== undefined) {
    return format;
  }
  const [example]: unknown[] = schema['examples'] ?? [];
  const suffix =
    example === undefined || typeof example === 'object' || example === '' ? '' : `, e.g. ${JSON.stringify(example)}`;
  return `${wordsFor(schema, keyword, message)}${suffix}`;
}

function rangeWords(minimum: number | undefined, maximum: number | undefined): string {
  if (maximum === undefined) {
    return `of at least ${minimum}`;
  }
  return minimum === undefined ? `of at most ${maximum}` : `from ${minimum} to ${maximum}`;
}

function wordsFor(schema: SchemaObject, keyword: string | undefined, message: string | undefined): string {
  const values: unknown[] | undefined = schema['enum'];
  if (values) {
    return `one of ${values.join(', ')}`;
  }
  const {
    minimum,
    maximum,
    minLength,
    maxLength,
    minItems,
    maxItems,
    minProperties,
  }: Record<string, number | undefined> = schema;
  const type = typeWords(schema['type']);
  const description: string | undefined = schema['description'];
  switch (keyword) {
    case 'minLength':
      return `${type} of at least ${minLength} character${minLength === 1 ? '' : 's'}`;
    case 'maxLength':
      return `${type} of at most ${maxLength} characters`;
    case 'minItems':
      return `at least ${minItems} ${minItems === 1 ? 'entry' : 'entries'}`;
    case 'maxItems':
      return `at most ${maxItems} entries`;
    case 'minProperties':
      return description ?? `an object with at least ${minProperties} field${minProperties === 1 ? '' : 's'}`;
    case 'uniqueItems':
      return 'no value twice';
    case 'minimum':
    case 'maximum':
      return `${type} ${rangeWords(minimum, maximum)}`;
    case 'format':
      if (schema['format'] === 'date' && !schema['examples']) {
        return DATE_WORDS;
      }
      return description ?? `${type} as ${schema['format']}`;
    case 'pattern':
      return description ?? `${type} as ${schema['pattern']}`;
    case undefined:
    case 'type':
      return description ? `${type} (${description})` : type;
    default:
      return message ?? description ?? type;
  }
}

function typeWords(type: unknown): string {
  const words = [type]
    .flat()
    .map((each) => (each === 'null' ? 'null' : /^[aeio]/.test(String(each)) ? `an ${each}` : `a ${each}`));
  return type === undefined ? 'another value' : words.join(' or ');
}

/** A received value in words: type and short value; only the type for a secret. Secrets within the value are masked. */
export function describeReceived(path: string, value: unknown): string {
  if (value === null || value === undefined) {
    return value === null ? 'null' : 'nothing';
  }
  if (Array.isArray(value)) {
    return `an array of ${value.length}`;
  }
  if (typeof value === 'object') {
    return 'an object';
  }
  if (isSecretName(path.slice(path.lastIndexOf('.') + 1))) {
    return `a ${typeof value} (not repeated here)`;
  }
  // Cut before masking, because masking reads every character, but only few are shown.
  const shown = redactSentence(JSON.stringify(typeof value === 'string' ? value.slice(0, MAX_READ_LENGTH) : value));
  return `${typeof value} ${shown.length > 60 ? `${shown.slice(0, 60)}…` : shown}`;
}
