import type { SchemaObject } from 'ajv/dist/2020.js';
import { isMembers } from '../../base/members.ts';
import type { Finding } from '../../base/refusal.ts';
import { loadSchema } from '../../base/schema/load-schema.ts';
import { validate } from '../../base/schema/validation.ts';
import type { Fixtures } from '../config/fixtures.ts';
import { checkWalletName, dropNeedlessMobile, spellWalletName } from './field-checks.ts';
import type { Operation } from './operation.ts';
import { dropNull, forgive, loosen, type Reading } from './request-body/lenient.ts';
import type { BodyResult } from './request-body/request-body.ts';

export interface CheckOptions {
  lenient: boolean;
  fixtures: Fixtures;
}

/** A body as its operation reads it, and what refuses it: by the row's schema, and by the checks that the row has beside it. */
interface Checked {
  body: unknown;
  errors: readonly Finding[];
}

/** Checks a body. `found` is told of everything that is odd about it. */
export async function check(
  operation: Operation,
  came: BodyResult,
  { lenient, fixtures }: CheckOptions,
  found: (findings: readonly Finding[]) => void,
): Promise<Checked> {
  if (operation.request === null) {
    return { body: came.value, errors: [] };
  }
  const schema = loadSchema(operation.request);
  const read = lenient ? readLeniently(operation, schema, came.value, fixtures) : readStrictly(came.value);
  const broken = await validate(operation.request, read.value);
  const remaining = lenient ? forgive(schema, read.value, broken) : broken;
  const fields = [...read.findings, ...remaining];
  const others = otherFindings(operation, read.value, fixtures, [...came.findings, ...remaining]);
  found([...fields, ...others]);
  const errors = [...came.findings, ...fields, ...others].filter(({ severity }) => severity === 'error');
  return { body: read.value, errors };
}

/** Strict, too, drops a null payerMobile: it is harmless and sent often. Source: reference, section 9. */
function readStrictly(body: unknown): Reading {
  return dropNull(body, 'payerMobile', 'digits, or no such field');
}

/** As lenient reads it; the member that would make it another operation's body is one that may be absent. */
function readLeniently(
  { otherwise, channelMember }: Operation,
  schema: SchemaObject,
  body: unknown,
  fixtures: Fixtures,
): Reading {
  const own = otherwise ? dropNull(body, otherwise.member, 'a value, or no such field') : { value: body, findings: [] };
  const spelled = spellWalletName(loosen(schema, own.value), channelMember, fixtures);
  const { value, findings } = dropNeedlessMobile(spelled, fixtures);
  return { value, findings: [...own.findings, ...findings] };
}

/** What the row's checks find in fields that the schema has nothing against. */
function otherFindings(
  { channelMember, checks = [] }: Operation,
  body: unknown,
  fixtures: Fixtures,
  known: readonly Finding[],
): Finding[] {
  if (!isMembers(body)) {
    return [];
  }
  const ofChannel = channelMember === undefined ? [] : checkWalletName(channelMember, body, fixtures);
  const found = [...ofChannel, ...checks.flatMap((each) => each(body, fixtures))];
  return found.filter(({ path }) => !known.some((finding) => finding.path === path));
}
