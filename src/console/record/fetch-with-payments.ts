import type { PaymentView } from '../../base/schema/generated/control.ts';
import { ask, type ListPage } from '../api.ts';

/** A record that creates payments, and the newest page of its payments. */
export interface RecordWithPayments<View> {
  record: View;
  payments: readonly PaymentView[];
}

export function fetchWithPayments<View extends { id: string }>(path: string, origin: PaymentView['origin']) {
  return async (id: string): Promise<RecordWithPayments<View>> => {
    const record = await ask<View>('GET', `${path}/${encodeURIComponent(id)}`);
    const page = await ask<ListPage<PaymentView>>('GET', 'payments', { query: { origin, originId: record.id } });
    return { record, payments: page.items };
  };
}
