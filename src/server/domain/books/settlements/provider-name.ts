import type { Fixtures } from '../../../config/fixtures.ts';

/** The name of the provider on bank statements and invoices. */
export function providerName({ settlement }: Pick<Fixtures, 'settlement'>): string {
  return settlement.invoice?.seller ?? 'Payment service provider';
}
