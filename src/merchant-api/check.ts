import type { Fixtures } from '../config/fixtures.ts';
import { type Finding, refuseFindings } from '../refusal.ts';
import { loadSchema, validate } from '../schema/validation.ts';
import { checkWalletName, dropNeedlessMobile, type Members } from './checks.ts';
import type { Operation } from './operation.ts';
import { dropNullMobile, forgive, loosen } from './request-body/lenient.ts';
import type { BodyResult } from './request-body/request-body.ts';

export interface CheckOptions {
  lenient: boolean;
  fixtures: Fixtures;
}

/**
 * The body as its operation reads it, and what is odd about it. Rejects with one refusal that names every wrong field: by the
 * row's schema, and by the checks that the row has beside it.
 */
export async function check(
  operation: Operation,
  came: BodyResult,
  { lenient, fixtures }: CheckOptions,
  found: (findings: readonly Finding[]) => void,
): Promise<unknown> {
  if (operation.request === null) {
    return came.value;
  }
  const schema = loadSchema(operation.request);
  const read = lenient ? dropNeedlessMobile(loosen(schema, came.value), fixtures) : dropNullMobile(came.value);
  const broken = await validate(operation.request, read.value);
  const judged = lenient ? forgive(schema, read.value, broken) : broken;
  const fields = [...read.findings, ...judged];
  const others = otherFindings(operation, read.value, fixtures, [...came.findings, ...judged]);
  found([...fields, ...others]);
  const errors = [...came.findings, ...fields, ...others].filter(({ severity }) => severity === 'error');
  if (errors.length > 0) {
    throw refuseFindings(errors);
  }
  return read.value;
}

/** What the row's checks find in fields that the schema has nothing against. */
function otherFindings(
  { channelMember, checks = [] }: Operation,
  body: unknown,
  fixtures: Fixtures,
  known: readonly Finding[],
): Finding[] {
  if (typeof body !== 'object' || body === null) {
    return [];
  }
  const members = body as Members;
  const ofChannel = channelMember === undefined ? [] : checkWalletName(channelMember, members, fixtures);
  const found = [...ofChannel, ...checks.flatMap((each) => each(members, fixtures))];
  return found.filter(({ path }) => !known.some((finding) => finding.path === path));
}
