import type { SchemaObject } from 'ajv/dist/2020.js';
import { type Awaitable, whenReady } from '../../base/awaitable.ts';
import { isMembers } from '../../base/members.ts';
import type { Finding } from '../../base/refusal.ts';
import { loadSchema } from '../../base/schema/load-schema.ts';
import { validate } from '../../base/schema/validation.ts';
import type { Fixtures } from '../config/fixtures.ts';
import { checkWalletName, dropNeedlessMobile, fixWalletName } from './field-checks.ts';
import type { Operation } from './operation.ts';
import { dropNull, type LenientReading, readLeniently, toWarnings } from './request-body/read-leniently.ts';
import type { BodyResult } from './request-body/request-body.ts';

interface ValidatedBody {
  body: unknown;
  /** New findings: those of repairs, of the schema and of the row's checks, warnings included. */
  findings: readonly Finding[];
  /** All findings for which the body is refused, those of reading it included. */
  errors: readonly Finding[];
}

export function validateBody(
  operation: Operation,
  parsed: BodyResult,
  { isLenient, fixtures }: { isLenient: boolean; fixtures: Fixtures },
): Awaitable<ValidatedBody> {
  if (operation.request === null) {
    return { body: parsed.value, findings: [], errors: [] };
  }
  const schema = loadSchema(operation.request);
  const reading = isLenient ? lenientBody(operation, schema, parsed.value, fixtures) : strictBody(parsed.value);
  return whenReady(validate(operation.request, reading.value), (strictFindings) => {
    const schemaFindings = isLenient ? toWarnings(schema, reading.value, strictFindings) : strictFindings;
    const checkFindings = findingsOfChecks(operation, reading.value, fixtures, [...parsed.findings, ...schemaFindings]);
    const findings = [...reading.findings, ...schemaFindings, ...checkFindings];
    const errors = [...parsed.findings, ...findings].filter(({ severity }) => severity === 'error');
    return { body: reading.value, findings, errors };
  });
}

/** Strict mode drops a null payerMobile as well, because it is harmless and sent often. Source: reference, section 9. */
function strictBody(body: unknown): LenientReading {
  return dropNull(body, 'payerMobile', 'digits, or no such field');
}

/** Lenient mode also drops a null in the member that would make this the body of another operation. */
function lenientBody(
  { alternative, channelMember }: Operation,
  schema: SchemaObject,
  body: unknown,
  fixtures: Fixtures,
): LenientReading {
  const withoutNull = alternative
    ? dropNull(body, alternative.member, 'a value, or no such field')
    : { value: body, findings: [] };
  const spelledBody = fixWalletName(readLeniently(schema, withoutNull.value), channelMember, fixtures);
  const { value, findings } = dropNeedlessMobile(spelledBody, fixtures);
  return { value, findings: [...withoutNull.findings, ...findings] };
}

/** Findings of the row's checks, only in fields without a finding so far. */
function findingsOfChecks(
  { channelMember, checks = [] }: Operation,
  body: unknown,
  fixtures: Fixtures,
  known: readonly Finding[],
): Finding[] {
  if (!isMembers(body)) {
    return [];
  }
  const channelFindings = channelMember === undefined ? [] : checkWalletName(channelMember, body, fixtures);
  const findings = [...channelFindings, ...checks.flatMap((each) => each(body, fixtures))];
  return findings.filter(({ path }) => !known.some((finding) => finding.path === path));
}
