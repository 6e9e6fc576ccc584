import type { PaymentView } from '../../base/schema/generated/control.ts';
import { ask, type ListPage } from '../api.ts';

/** A record that creates payments, and its payments. */
export interface WithPayments<Record> {
  record: Record;
  payments: readonly PaymentView[];
}

/** Fetches records of a list by id. `origin` is the name of their kind in payments. */
export function fetchWithPayments<Record extends { id: string }>(path: string, origin: PaymentView['origin']) {
  return async (id: string): Promise<WithPayments<Record>> => {
    const record = await ask<Record>('GET', `${path}/${encodeURIComponent(id)}`);
    const made = await ask<ListPage<PaymentView>>('GET', 'payments', { query: { origin, originId: record.id } });
    return { record, payments: made.items };
  };
}
