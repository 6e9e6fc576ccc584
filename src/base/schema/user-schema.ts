import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import { messageOf } from '../errors.ts';
import { loadOnce } from '../load-once.ts';
import { errorFinding, type Finding } from '../refusal.ts';
import { plural } from '../text/plural.ts';
import { endOfTurn } from '../timers.ts';
import { isDeeperThan } from './depth.ts';
import { memberPath, toPath } from './json-path.ts';
import { describeSize, isLarger, type JsonSize, sizeOf } from './json-size.ts';
import { addOwnFormats } from './validation.ts';

/** References could make a schema refer to itself or grow without limit; with $async, a check returns a promise instead of a result. */
const UNSUPPORTED_KEYWORDS = ['$ref', '$dynamicRef', '$recursiveRef', '$async'];
const MAX_DEPTH = 50;
/** Limits of one schema, so that compiling it does not delay other requests for long. */
export const MAX_SCHEMA_SIZE: JsonSize = { characters: 65_536, values: 500 };
/** Limit for all patterns of a schema together, in instructions of the compiled patterns, because each may run for every examined character. */
export const MAX_PATTERN_STEPS = 2000;
const EXPECTED_SCHEMA = `a self-contained JSON Schema (2020-12), without $ref, at most ${MAX_DEPTH} levels deep`;
const EXPECTED_SIZE = `a JSON Schema of at most ${describeSize(MAX_SCHEMA_SIZE)}, not counting the values of an enum`;
const EXPECTED_PATTERN = 'a pattern in RE2 syntax: no lookaround, no back-reference, at most 1000 repetitions';
const EXPECTED_PATTERNS = `patterns of at most ${MAX_PATTERN_STEPS} steps together, where a repetition counts as often as it may repeat`;

/** Keywords whose lists are only data, so that compiling them costs almost nothing. */
const DATA_KEYWORDS: ReadonlySet<string> = new Set(['enum', 'examples']);

export function sizeOfSchema(schema: object, limits: JsonSize): JsonSize {
  return sizeOf(schema, limits, DATA_KEYWORDS);
}

/** Compiled schemas are cached, because sessions use the same ones again and again. */
const MAX_COMPILED_SCHEMAS = 2000;

/** Checks and compiles schemas from users. */
interface Checker {
  /** Ajv's errors by the meta-schema; empty for a valid schema. */
  errorsIn(schema: object): { instancePath: string; message?: string }[];
  compile(schema: object): ValidateFunction;
  /** The sum of the instructions of all these patterns. Counting stops beyond MAX_PATTERN_STEPS. Throws for an invalid pattern. */
  stepsOf(patterns: readonly string[]): number;
  /** Why a pattern cannot be used; undefined for a valid pattern. */
  problemOf(pattern: string): string | undefined;
}

const validatorsByText = new Map<string, Promise<ValidateFunction>>();
const validators = new WeakMap<object, ValidateFunction>();
/** One schema is compiled per turn of the event loop, so that other requests are not delayed. */
let lastCompilation: Promise<unknown> = Promise.resolve();

/** The errors of a schema from a fixture or a request; empty if matchesSchema can use it. */
export async function checkSchema(schema: object, path: string): Promise<readonly Finding[]> {
  if (isDeeperThan(MAX_DEPTH, schema)) {
    return [errorFinding(path, EXPECTED_SCHEMA, 'a deeper one')];
  }
  if (isLarger(sizeOfSchema(schema, MAX_SCHEMA_SIZE), MAX_SCHEMA_SIZE)) {
    return [errorFinding(path, EXPECTED_SIZE, 'a larger one')];
  }
  const { errorsIn, stepsOf, problemOf } = await checker();
  try {
    const steps = stepsOf(patternsIn(schema, path).map(({ pattern }) => pattern));
    if (steps > MAX_PATTERN_STEPS) {
      return [errorFinding(path, EXPECTED_PATTERNS, `patterns of ${plural(steps, 'step')}`)];
    }
    const errors = errorsIn(schema);
    if (errors.length === 0) {
      await validatorOf(schema);
    }
    // Several alternatives of a schema can report the same place, so only the first error of each place is used.
    const places = errors.map(({ instancePath }) => instancePath);
    return errors
      .filter(({ instancePath }, index) => places.indexOf(instancePath) === index)
      .map(({ instancePath, message }) => {
        const place = path + toPath(instancePath, schema).slice(1);
        return errorFinding(place, EXPECTED_SCHEMA, `a value that ${message}`);
      });
  } catch (error) {
    // Errors that the meta-schema does not find: an invalid pattern, an unknown keyword or format, a reference.
    const patternFindings = patternsIn(schema, path).flatMap(({ place, pattern }) => {
      const problem = problemOf(pattern);
      return problem === undefined ? [] : [errorFinding(place, EXPECTED_PATTERN, problem)];
    });
    return patternFindings.length > 0 ? patternFindings : [errorFinding(path, EXPECTED_SCHEMA, messageOf(error))];
  }
}

/** Whether a value matches a schema that checkSchema accepted. Throws for an invalid schema. */
export async function matchesSchema(schema: object, value: unknown): Promise<boolean> {
  return (await validatorOf(schema))(value);
}

/** The first mismatches of a value with a schema that checkSchema accepted. */
export async function mismatchesWith(schema: object, value: unknown): Promise<{ path: string; message: string }[]> {
  const validate = await validatorOf(schema);
  const errors = validate(value) ? [] : (validate.errors ?? []);
  return errors.map(({ instancePath, message = 'does not fit' }) => ({ path: toPath(instancePath, value), message }));
}

async function validatorOf(schema: object): Promise<ValidateFunction> {
  let validate = validators.get(schema);
  if (!validate) {
    validate = await validatorOfText(JSON.stringify(schema));
    validators.set(schema, validate);
  }
  return validate;
}

/** Cached by text, because a record is a different object whenever it is read. */
function validatorOfText(text: string): Promise<ValidateFunction> {
  const cached = validatorsByText.get(text);
  if (cached) {
    return cached;
  }
  const validator = lastCompilation.then(async () => {
    const { compile } = await checker();
    return compile(JSON.parse(text) as object);
  });
  lastCompilation = validator.then(endOfTurn, endOfTurn);
  validatorsByText.set(text, validator);
  validator.catch(() => validatorsByText.delete(text));
  const [oldest = text] = validatorsByText.keys();
  if (validatorsByText.size > MAX_COMPILED_SCHEMAS) {
    validatorsByText.delete(oldest);
  }
  return validator;
}

/** The libraries are loaded for the first schema, because most runs have none. */
const checker = loadOnce(async (): Promise<Checker> => {
  const [{ Ajv2020, addFormats }, { RE2JS }] = await Promise.all([import('./ajv.ts'), import('re2js')]);
  // RE2 is linear in the length of the text, so that no pattern can hang the process.
  const toPattern = (pattern: string) => RE2JS.compile(RE2JS.translateRegExp(pattern));
  const schemas = new Ajv2020({ allErrors: true });
  return {
    errorsIn: (schema) => (schemas.validateSchema(schema) === true ? [] : (schemas.errors ?? [])),
    compile(schema) {
      // A new instance for each schema, because a shared one would keep all schemas, and refuse a second one with the same $id.
      const ajv = newAjv(Ajv2020, toPattern);
      addFormats(ajv, ['date', 'email']);
      return ajv.compile(schema);
    },
    stepsOf: (patterns) =>
      patterns.reduce((sum, pattern) => (sum > MAX_PATTERN_STEPS ? sum : sum + toPattern(pattern).programSize()), 0),
    problemOf(pattern) {
      try {
        toPattern(pattern);
        return undefined;
      } catch (error) {
        return messageOf(error);
      }
    },
  };
});

function newAjv(Ajv: typeof Ajv2020, toPattern: (pattern: string) => { test(text: string): boolean }): Ajv2020 {
  const ajv = new Ajv({
    // Optimized code is not faster.
    code: { regExp: Object.assign(toPattern, { code: 'RE2' }), optimize: false },
    meta: false,
    validateSchema: false,
    // Refuses unknown keywords, which are most likely misspelled; does not enforce a style for types.
    strictSchema: true,
    strictTypes: false,
    strictTuples: false,
    allowMatchingProperties: true,
  });
  addOwnFormats(ajv);
  for (const keyword of UNSUPPORTED_KEYWORDS) {
    ajv.removeKeyword(keyword);
  }
  return ajv;
}

/** Every pattern in a schema, with its place. */
function patternsIn(schema: unknown, path: string): { place: string; pattern: string }[] {
  if (typeof schema !== 'object' || schema === null) {
    return [];
  }
  return Object.entries(schema).flatMap(([key, value]) => {
    const place = Array.isArray(schema) ? memberPath(path, Number(key)) : memberPath(path, key);
    const patterns =
      key === 'pattern' && typeof value === 'string'
        ? [{ place, pattern: value }]
        : key === 'patternProperties' && typeof value === 'object'
          ? Object.keys(value ?? {}).map((pattern) => ({ place: memberPath(place, pattern), pattern }))
          : [];
    return [...patterns, ...patternsIn(value, place)];
  });
}
