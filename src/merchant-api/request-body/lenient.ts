import type { SchemaObject } from 'ajv/dist/2020.js';
import type { Finding } from '../../refusal.ts';
import { memberPath } from '../../schema/json-path.ts';

type Members = Record<string, unknown>;

interface Reading {
  value: unknown;
  expected: string;
  received: string;
}

/** How a member that strict refuses is read in lenient mode; undefined where this deviation does not apply. */
type Deviation = (value: unknown, body: Members, schema: SchemaObject) => Reading | undefined;

/** The values of `x-lenient` in the request schemas that mend a value. Source: reference, section 9. */
const DEVIATIONS: Readonly<Record<string, Deviation>> = {
  'amount-from-number': (value) =>
    typeof value === 'number' && value >= 0 && value < 1e15 && Number(value.toFixed(2)) === value
      ? { value: value.toFixed(2), expected: 'a string with two decimals', received: 'a number' }
      : undefined,
  'integer-from-digits': (value) =>
    typeof value === 'string' && /^\d{1,15}$/.test(value)
      ? { value: Number(value), expected: 'a number', received: 'digits in quotes' }
      : undefined,
  'default-empty': (value) =>
    value === undefined ? { value: '', expected: 'a part, empty when creating', received: 'nothing' } : undefined,
  'any-image-type': (value, body, { enum: actions }) =>
    typeof value === 'string' && !actions.includes(value)
      ? {
          value: isMembers(body['paymentLinkImage']) ? 'NEW' : 'NONE',
          expected: `one of ${actions.join(', ')}`,
          received: JSON.stringify(value.slice(0, 60)),
        }
      : undefined,
};

/** Deviations that cannot be mended in the value: the finding they cause is only a warning. Repeated parts are the form's. */
const FORGIVEN: Readonly<Record<string, (value: unknown) => boolean>> = {
  'may-be-empty': (value) => value === '',
  'image-as-text': (value) => value === undefined || typeof value === 'string',
};

/**
 * A body as lenient reads it, with a warning for each deviation that its schema's `x-lenient` names, and without members
 * that are null although they may be absent. The body that came is not changed.
 */
export function loosen(schema: SchemaObject, body: unknown): { value: unknown; findings: Finding[] } {
  if (!isMembers(body)) {
    return { value: body, findings: [] };
  }
  const findings: Finding[] = [];
  const value: Members = { ...body };
  const required = new Set(schema['required'] as string[]);
  const warn = (path: string, expected: string, received: string) =>
    findings.push({ path, expected, received, severity: 'warning' });
  for (const [name, property] of propertiesOf(schema)) {
    const path = memberPath('$', name);
    if (value[name] === null && !required.has(name) && !mayBeNull(property)) {
      delete value[name];
      warn(path, 'a value, or no such member', 'null');
    }
    const reading = DEVIATIONS[String(property['x-lenient'])]?.(value[name], value, property);
    if (reading) {
      value[name] = reading.value;
      warn(path, reading.expected, reading.received);
    }
  }
  return { value, findings };
}

/** Turns findings that lenient mode forgives into warnings. */
export function forgive(schema: SchemaObject, body: unknown, findings: readonly Finding[]): Finding[] {
  const forgiven = new Set(
    propertiesOf(schema)
      .filter(([name, property]) => FORGIVEN[String(property['x-lenient'])]?.((body as Members)[name]))
      .map(([name]) => memberPath('$', name)),
  );
  return findings.map((finding) => (forgiven.has(finding.path) ? { ...finding, severity: 'warning' } : finding));
}

/** A null payerMobile is harmless and sent often: even strict drops it, with a warning. Source: reference, section 9. */
export function dropNullMobile(body: unknown): { value: unknown; findings: readonly Finding[] } {
  if (!isMembers(body) || body['payerMobile'] !== null) {
    return { value: body, findings: NO_FINDINGS };
  }
  const { payerMobile: _, ...value } = body;
  return {
    value,
    findings: [{ path: '$.payerMobile', expected: 'digits, or no such member', received: 'null', severity: 'warning' }],
  };
}

const NO_FINDINGS: readonly Finding[] = Object.freeze([]);

function propertiesOf(schema: SchemaObject): [string, SchemaObject][] {
  return Object.entries((schema['properties'] as Record<string, SchemaObject> | undefined) ?? {});
}

function mayBeNull({ type }: SchemaObject): boolean {
  return [type].flat().includes('null');
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null;
}
