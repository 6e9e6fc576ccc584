import type { SchemaObject } from 'ajv/dist/2020.js';
import type { Finding } from '../refusal.ts';

type Members = Record<string, unknown>;

/** How a member that strict refuses is read in lenient mode; undefined where this deviation does not apply. */
type Deviation = (value: unknown, body: Members) => { value: unknown; expected: string; received: string } | undefined;

const IMAGE_ACTIONS = ['NEW', 'UPDATE', 'NONE'];

/** The values of `x-lenient` in the request schemas. Source: reference, section 9. */
const DEVIATIONS: Readonly<Record<string, Deviation>> = {
  'amount-from-number': (value) => {
    const isAmount = typeof value === 'number' && value >= 0 && Number(value.toFixed(2)) === value;
    return isAmount ? { value: value.toFixed(2), expected: 'a string with two decimals', received: 'a number' } : undefined;
  },
  'integer-from-digits': (value) =>
    typeof value === 'string' && /^\d{1,9}$/.test(value)
      ? { value: Number(value), expected: 'a number', received: 'digits in quotes' }
      : undefined,
  'default-empty': (value) =>
    value === undefined ? { value: '', expected: 'a part, empty when creating', received: 'nothing' } : undefined,
  'any-image-type': (value, body) =>
    typeof value === 'string' && !IMAGE_ACTIONS.includes(value)
      ? {
          value: isFile(body['paymentLinkImage']) ? 'NEW' : 'NONE',
          expected: `one of ${IMAGE_ACTIONS.join(', ')}`,
          received: JSON.stringify(value.slice(0, 60)),
        }
      : undefined,
};

/** Deviations that cannot be mended in the value: the finding they cause is only a warning. */
const FORGIVEN: Readonly<Record<string, (value: unknown) => boolean>> = {
  'may-be-empty': (value) => value === '',
  'image-as-text': (value) => value === undefined || typeof value === 'string',
};

/** A body as lenient reads it, with a warning for each deviation. The body that came is not changed. */
export function loosen(schema: SchemaObject, body: unknown): { value: unknown; findings: Finding[] } {
  if (!isMembers(body)) {
    return { value: body, findings: [] };
  }
  const findings: Finding[] = [];
  const value: Members = { ...body };
  const required = new Set(schema['required'] as string[]);
  for (const [name, property] of propertiesOf(schema)) {
    const path = `$.${name}`;
    if (value[name] === null && !required.has(name) && Object.hasOwn(value, name)) {
      delete value[name];
      findings.push({ path, expected: 'no member', received: 'null', severity: 'warning' });
    }
    const deviation = DEVIATIONS[String(property['x-lenient'])]?.(value[name], value);
    if (deviation) {
      value[name] = deviation.value;
      findings.push({ path, expected: deviation.expected, received: deviation.received, severity: 'warning' });
    }
  }
  return { value, findings };
}

/** Turns findings that lenient mode forgives into warnings. */
export function forgive(schema: SchemaObject, body: unknown, findings: readonly Finding[]): Finding[] {
  return findings.map((finding) => {
    const name = finding.path.replace(/^\$\./, '');
    const property = (schema['properties'] as Record<string, SchemaObject> | undefined)?.[name];
    const isForgiven = FORGIVEN[String(property?.['x-lenient'])]?.((body as Members)[name]) ?? false;
    return isForgiven ? { ...finding, severity: 'warning' } : finding;
  });
}

/** A null payerMobile is harmless and sent often: even strict drops it, with a warning. Source: reference, section 9. */
export function dropNullMobile(body: unknown): { value: unknown; findings: readonly Finding[] } {
  if (!isMembers(body) || body['payerMobile'] !== null) {
    return { value: body, findings: [] };
  }
  const { payerMobile: _, ...value } = body;
  return {
    value,
    findings: [{ path: '$.payerMobile', expected: 'digits, or no member', received: 'null', severity: 'warning' }],
  };
}

function propertiesOf(schema: SchemaObject): [string, SchemaObject][] {
  return Object.entries((schema['properties'] as Record<string, SchemaObject> | undefined) ?? {});
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null;
}

function isFile(value: unknown): boolean {
  return isMembers(value);
}
