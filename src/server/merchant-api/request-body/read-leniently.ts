import type { SchemaObject } from 'ajv/dist/2020.js';
import { isMembers, type Members, membersOf } from '../../../base/members.ts';
import { isAmount, withDecimals } from '../../../base/money.ts';
import { capFindings, type Finding, warningOf } from '../../../base/refusal.ts';
import { memberPath } from '../../../base/schema/json-path.ts';

/** A repaired body, and the warnings about the received one. */
export interface LenientReading {
  value: unknown;
  findings: readonly Finding[];
}

/** The value that replaces a refused one; undefined omits the member. */
interface Repair {
  value: unknown;
  expected: string;
  received: string;
}

/** The repair of a member that strict mode refuses; undefined if it needs none of this kind. */
type FindRepair = (value: unknown, body: Members, schema: SchemaObject) => Repair | undefined;

/** By the values of `x-lenient` in the request schemas. Source: reference, section 9. */
const REPAIRS: Readonly<Record<string, FindRepair>> = {
  'amount-from-number': (value) => {
    if (typeof value === 'string' && /^(0|[1-9]\d{0,11})(\.\d)?$/.test(value)) {
      return { value: withDecimals(Number(value)), expected: 'two decimals', received: JSON.stringify(value) };
    }
    return typeof value === 'number' && value >= 0 && isAmount(value)
      ? { value: withDecimals(value), expected: 'a string with two decimals', received: 'a number' }
      : undefined;
  },
  'boolean-from-any-text': (value) =>
    typeof value === 'string' && value !== 'true' && value !== 'false'
      ? {
          value: String(!MEANT_AS_FALSE.has(value.trim().toLowerCase())),
          expected: 'the text true or false',
          received: JSON.stringify(value.slice(0, 60)),
        }
      : undefined,
  'may-be-empty-or-absent': (value) =>
    value === '' ? { value: undefined, expected: 'a value, or no such field', received: 'an empty one' } : undefined,
  'integer-from-digits': (value) =>
    typeof value === 'string' && /^\d{1,15}$/.test(value)
      ? { value: Number(value), expected: 'a number', received: 'digits in quotes' }
      : undefined,
  'default-empty': (value) =>
    value === undefined ? { value: '', expected: 'a part, empty to create a link', received: 'nothing' } : undefined,
  'any-image-type': (value, body, { enum: actions }) =>
    typeof value === 'string' && !actions.includes(value)
      ? {
          value: isFile(body['paymentLinkImage']) ? 'NEW' : 'NONE',
          expected: `one of ${actions.join(', ')}`,
          received: JSON.stringify(value.slice(0, 60)),
        }
      : undefined,
};

/** Texts that HTTP libraries and checkboxes send for false. Any other text, such as a currency's code, is true. */
const MEANT_AS_FALSE: ReadonlySet<string> = new Set(['false', '0', 'off', 'no', '']);

/** Values of `x-lenient` that repair nothing: if the function accepts a member, the member's finding becomes a warning. */
const ACCEPTED_AS_SENT: Readonly<Record<string, (value: unknown) => boolean>> = {
  'may-be-empty': (value) => value === '',
  'image-as-text': (value) => value === undefined || typeof value === 'string',
};

/**
 * A body as lenient mode reads it: repaired where the schema's `x-lenient` names a repair, and without null in optional
 * members, each with a warning. The received body is not changed.
 */
export function readLeniently(schema: SchemaObject, body: unknown): LenientReading {
  const findings: Finding[] = [];
  const value = read(schema, body, '$', findings);
  return { value, findings: capFindings(findings) };
}

function read(schema: SchemaObject, value: unknown, path: string, findings: Finding[]): unknown {
  if (Array.isArray(value)) {
    const entry: SchemaObject | undefined = schema['items'];
    const isShort = value.length <= (schema['maxItems'] ?? Number.POSITIVE_INFINITY);
    return entry && isShort ? value.map((each, index) => read(entry, each, memberPath(path, index), findings)) : value;
  }
  return isMembers(value) ? readMembers(schema, value, path, findings) : value;
}

function readMembers(schema: SchemaObject, members: Members, path: string, findings: Finding[]): Members {
  const value: Record<string, unknown> = { ...members };
  const required = new Set<string>(schema['required']);
  for (const [name, property] of propertiesOf(schema)) {
    const ownPath = memberPath(path, name);
    const isNeedlessNull = value[name] === null && !required.has(name) && !mayBeNull(property);
    const repair = isNeedlessNull
      ? { value: undefined, expected: 'a value, or no such field', received: 'null' }
      : REPAIRS[String(property['x-lenient'])]?.(value[name], value, property);
    if (repair) {
      value[name] = repair.value;
      findings.push(warningOf(isNeedlessNull ? 'needless-member' : 'read-leniently', { path: ownPath, ...repair }));
    } else if (name in value) {
      value[name] = read(property, value[name], ownPath, findings);
    }
    if (value[name] === undefined) {
      delete value[name];
    }
  }
  return value;
}

/** Turns findings that lenient mode accepts into warnings. */
export function toWarnings(schema: SchemaObject, body: unknown, findings: readonly Finding[]): Finding[] {
  const accepted = new Set(
    propertiesOf(schema)
      .filter(([name, property]) => ACCEPTED_AS_SENT[String(property['x-lenient'])]?.(membersOf(body)[name]))
      .map(([name]) => memberPath('$', name)),
  );
  return findings.map((finding) =>
    accepted.has(finding.path) && finding.severity === 'error' ? warningOf('read-leniently', finding) : finding,
  );
}

/** A body without this member if it is null, with a warning. The received body is not changed. */
export function dropNull(body: unknown, member: string, expected: string): LenientReading {
  if (!isMembers(body) || body[member] !== null) {
    return { value: body, findings: NO_FINDINGS };
  }
  const { [member]: _, ...value } = body;
  const finding = warningOf('needless-member', { path: memberPath('$', member), expected, received: 'null' });
  return { value, findings: [finding] };
}

const NO_FINDINGS: readonly Finding[] = Object.freeze([]);

function propertiesOf(schema: SchemaObject): [string, SchemaObject][] {
  return Object.entries<SchemaObject>(schema['properties'] ?? {});
}

function mayBeNull({ type }: SchemaObject): boolean {
  return [type].flat().includes('null');
}

function isFile(image: unknown): boolean {
  return typeof image === 'object' && image !== null;
}
