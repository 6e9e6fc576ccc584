import type { Payment } from '../../../base/schema/generated/records.ts';
import type { Generation } from '../../sessions/generation.ts';
import type { Reader } from '../../sessions/reader.ts';
import { integrationFindingsOf } from './integration-findings.ts';

/** Records a finding if the control call `settle` names a payment by a reference that several payments share. */
export function recordAmbiguousSettle(
  generation: Generation,
  reader: Reader,
  { id, payerReference }: Payment,
  idOrReference: string | undefined,
): void {
  if (idOrReference === id || idOrReference !== payerReference) {
    return;
  }
  const sharingPayments = reader.find('payments', 'payerReference', payerReference, { newest: 2 });
  if (sharingPayments.length > 1) {
    integrationFindingsOf(generation).record({
      kind: 'ambiguous-settle',
      path: '$',
      expected: 'the id of a payment',
      received: `${JSON.stringify(idOrReference)}, shared by ${sharingPayments.map((payment) => payment.id).join(' and ')}`,
      calls: [],
      records: sharingPayments.map((payment) => payment.id),
    });
  }
}
