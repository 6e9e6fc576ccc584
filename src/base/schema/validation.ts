import { posix } from 'node:path';
import type { Ajv2020, ErrorObject, SchemaObject, ValidateFunction } from 'ajv/dist/2020.js';
import type { Awaitable } from '../awaitable.ts';
import { CATCH_URL } from '../catch.ts';
import { loadOnce } from '../load-once.ts';
import { ownMember } from '../members.ts';
import { isAmount } from '../money.ts';
import { capFindings, type Finding, warningOf } from '../refusal.ts';
import { didYouMean } from '../text/nearest.ts';
import { parseUrl } from '../text/url.ts';
import { isClockInstant, isDuration, isInstant } from '../time.ts';
import { describeExpectation, describeReceived } from './describe.ts';
import { memberPath, toPath } from './json-path.ts';
import { loadSchema } from './load-schema.ts';
import { followReference } from './references.ts';
import { skipLongLists } from './skip-long-lists.ts';

/** An offset from UTC, which the interface's timestamps must have. */
const OFFSET = /(?:Z|[+-]\d\d:\d\d)$/;
/** Maximum number of errors that are described. Several errors about the same field become one finding. */
const MAX_DESCRIBED_ERRORS = 1000;
const NO_FINDINGS: readonly Finding[] = Object.freeze([]);
const UNKNOWN_MEMBER = 'an unknown field';

const validators = new Map<string, ValidateFunction>();
const addedSchemas = new Set<string>();

/**
 * The findings of a value by a schema, at most one for each field; empty if the value is valid. An unknown member
 * is only a warning. Schemas are compiled on first use.
 */
export function validate(name: string, value: unknown): Awaitable<readonly Finding[]> {
  const check = validators.get(name);
  return check ? findingsBy(check, value) : library().then((instance) => findingsBy(compile(name, instance), value));
}

/** Like `validate`, by a schema that is not in a file, and has no references. */
export async function validateBy(schema: SchemaObject, value: unknown): Promise<readonly Finding[]> {
  return findingsBy((await library()).compile(schema), value);
}

/** Returns a synchronous `validate`, for callers that cannot wait during the check. */
export async function synchronousValidate(): Promise<(name: string, value: unknown) => readonly Finding[]> {
  const instance = await library();
  return (name, value) => findingsBy(validators.get(name) ?? compile(name, instance), value);
}

function findingsBy(check: ValidateFunction, value: unknown): readonly Finding[] {
  return check(value) ? NO_FINDINGS : findingsOf(check.errors ?? [], value);
}

function compile(name: string, instance: Ajv2020): ValidateFunction {
  addSchema(instance, name);
  const check = validators.get(name) ?? instance.getSchema(`${name}.json`);
  if (!check) {
    throw new Error(`schemas/${name}.json has another $id than its name`);
  }
  validators.set(name, check);
  return check;
}

/**
 * Adds a schema and all schemas that it refers to. The library could load each missing one on demand, but would then compile
 * everything again.
 */
function addSchema(instance: Ajv2020, name: string): void {
  // All files are read before any schema is added, so that reading can be retried after an error.
  for (const each of namesFrom(name)) {
    if (!addedSchemas.has(each)) {
      instance.addSchema(prepareSchema(loadSchema(each)));
      addedSchemas.add(each);
    }
  }
}

/** A schema and all that it refers to, by their names. */
function namesFrom(name: string): ReadonlySet<string> {
  const names = new Set([name]);
  for (const each of names) {
    for (const [, file = ''] of JSON.stringify(loadSchema(each)).matchAll(/"\$ref":"([^"#]+)\.json/g)) {
      names.add(posix.join(posix.dirname(each), file));
    }
  }
  return names;
}

/** Loaded with the first check, because loading takes longer than most checks. */
const library = loadOnce(async (): Promise<Ajv2020> => {
  const { Ajv2020, addFormats } = await import('./ajv.ts');
  const instance = new Ajv2020({
    allErrors: true,
    verbose: true,
    allowUnionTypes: true,
    // Of several alternatives, only the one that the value's discriminator names is checked.
    discriminator: true,
    // Not needed, because tests check the shipped schemas by the meta-schema.
    meta: false,
    validateSchema: false,
    // Optimizing takes two thirds of the time, and does not make the code faster.
    code: { optimize: false },
  });
  addFormats(instance, ['date', 'email']);
  addOwnFormats(instance);
  instance.addKeyword('x-lenient');
  instance.addKeyword('x-names');
  instance.addKeyword('x-file');
  return instance;
});

/** A schema for the library, without `$schema`, because otherwise the meta-schema would be compiled, which takes longer than all others. */
function prepareSchema({ $schema: _, ...schema }: SchemaObject): SchemaObject {
  return skipLongLists(schema);
}

/** Adds formats that are ours, or stricter than the standard, so that the parsers accept every valid value. */
export function addOwnFormats(instance: Ajv2020): void {
  instance.addFormat('instant', { type: 'string', validate: isClockInstant });
  instance.addFormat('date-time', { type: 'string', validate: (text) => isInstant(text) && OFFSET.test(text) });
  instance.addFormat('duration', { type: 'string', validate: isDuration });
  instance.addFormat('money', { type: 'number', validate: isAmount });
  instance.addFormat('http-url', { type: 'string', validate: isHttpUrl });
  instance.addFormat('webhook-url', { type: 'string', validate: (text) => text === CATCH_URL || isHttpUrl(text) });
}

function isHttpUrl(value: string): boolean {
  return ['http:', 'https:'].includes(parseUrl(value)?.protocol ?? '');
}

/** Whether a finding is about a member that the schema does not have. */
export function isUnknownMember({ received }: Finding): boolean {
  return received.startsWith(UNKNOWN_MEMBER);
}

function findingsOf(errors: readonly ErrorObject[], value: unknown): readonly Finding[] {
  const findings = new Map<string, Finding>();
  // An error of an `if` adds nothing, because the errors of its branch are in the list, too.
  const relevant = errors.filter(({ keyword }) => keyword !== 'if');
  // Errors come before warnings, because only MAX_DESCRIBED_ERRORS are described.
  const ordered =
    relevant.length > MAX_DESCRIBED_ERRORS ? relevant.toSorted((a, b) => weightOf(a) - weightOf(b)) : relevant;
  for (const error of ordered.slice(0, MAX_DESCRIBED_ERRORS)) {
    const finding = findingOf(error, value);
    const existing = findings.get(finding.path);
    // The first error of a field is the most useful: type before pattern. An error has priority over a warning.
    if (!existing || (existing.severity === 'warning' && finding.severity === 'error')) {
      findings.set(finding.path, finding);
    }
  }
  const undescribedCount = relevant.length - Math.min(relevant.length, MAX_DESCRIBED_ERRORS);
  return capFindings([...findings.values()], findings.size + undescribedCount);
}

function weightOf({ keyword }: ErrorObject): number {
  return keyword === 'additionalProperties' ? 1 : 0;
}

function findingOf(error: ErrorObject, value: unknown): Finding {
  const { keyword, params, instancePath } = error;
  // An invalid name of a member is reported at the member.
  const name = error.propertyName ?? (keyword === 'propertyNames' ? String(params['propertyName']) : undefined);
  const parent = toPath(instancePath, value);
  const place = name === undefined ? parent : memberPath(parent, name);
  if (keyword === 'additionalProperties') {
    const unknownName = String(params['additionalProperty']);
    const names = Object.keys(error.parentSchema?.['properties'] ?? {});
    const received = `${UNKNOWN_MEMBER}${didYouMean(unknownName, names)}`;
    return warningOf('unknown-member', { path: memberPath(place, unknownName), expected: 'no such field', received });
  }
  if (keyword === 'required' || keyword === 'dependentRequired') {
    const missing = String(params['missingProperty']);
    const schema = memberSchema((error.parentSchema ?? {}) as SchemaObject, missing);
    const expected = schema ? describeExpectation({ schema }) : 'to be there';
    return { path: memberPath(place, missing), expected, received: 'nothing', severity: 'error' };
  }
  const schema = (error.parentSchema ?? {}) as SchemaObject;
  const expected = describeExpectation({ schema, keyword, message: error.message });
  return { path: place, expected, received: describeReceived(place, error.data), severity: 'error' };
}

/** The schema of a member; undefined if it has none. A reference is only followed from the root of a file, which has the `$id` for it. */
function memberSchema({ $id, properties = {} }: SchemaObject, name: string): SchemaObject | undefined {
  const schema = ownMember<SchemaObject>(properties, name);
  const reference: unknown = schema?.['$ref'];
  if (typeof reference !== 'string') {
    return schema;
  }
  return typeof $id === 'string' ? followReference(reference, $id.replace(/\.json$/, '')).schema : undefined;
}
