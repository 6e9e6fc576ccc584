import type { Refusal } from '../../../base/refusal.ts';
import { REFUSAL_KINDS } from '../../../base/refusal-kinds.ts';
import type { Fixtures } from '../../config/fixtures.ts';
import { fillTemplate } from '../../config/template.ts';

/** The form of the body of a failed call, which several operations share. Source: reference, section 8; fixtures/errors.json. */
export type Envelope = 'access-token' | 'payment' | 'acknowledgement' | 'payment-link' | 'query';

export function statusOf(refusal: Refusal, fixtures: Fixtures): number {
  return fixtures.errors.statuses[refusal.kind] ?? REFUSAL_KINDS[refusal.kind].status;
}

export function errorBody(envelope: Envelope, status: number, message: string, fixtures: Fixtures): unknown {
  return fillTemplate(fixtures.errors.envelopes[envelope], { message, status });
}
