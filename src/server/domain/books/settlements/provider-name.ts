import type { Fixtures } from '../../../config/fixtures.ts';

/** Who pays merchants and sends them invoices. */
export function providerName({ settlement }: Pick<Fixtures, 'settlement'>): string {
  return settlement.invoice?.seller ?? 'Payment service provider';
}
