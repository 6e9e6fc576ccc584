import type { Fixtures } from '../config/fixtures.ts';
import type { Finding } from '../refusal.ts';
import { loadSchema, validate } from '../schema/validation.ts';
import { checkWalletName, dropNeedlessMobile, type Members } from './checks.ts';
import type { Operation } from './operation.ts';
import { dropNullMobile, forgive, loosen } from './request-body/lenient.ts';
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
  const read = lenient ? dropNeedlessMobile(loosen(schema, came.value), fixtures) : dropNullMobile(came.value);
  const broken = await validate(operation.request, read.value);
  const judged = lenient ? forgive(schema, read.value, broken) : broken;
  const fields = [...read.findings, ...judged];
  const others = otherFindings(operation, read.value, fixtures, [...came.findings, ...judged]);
  found([...fields, ...others]);
  const errors = [...came.findings, ...fields, ...others].filter(({ severity }) => severity === 'error');
  return { body: read.value, errors };
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
