import type { Observation } from './observation.ts';

type Records = Pick<Observation, 'payments' | 'deliveries' | 'requests'>;

const MAX_REFERENCES = 500;

/** The references of orders of earlier cases, so that a late call for one of them does not count in the current case. */
export class EarlierOrders {
  readonly #references = new Set<string>();
  readonly #current = new Set<string>();
  /** Amounts of orders whose payment had not been requested when they were recorded. */
  readonly #unrequestedAmounts = new Set<string>();

  /** The last ones, because the size of a schema in a scenario is limited. */
  get references(): string[] {
    return [...this.#references].slice(-MAX_REFERENCES);
  }

  startCase(): void {
    this.#current.clear();
  }

  /** Records the references of the current case, and whether its order is still without a payment. */
  add(records: Records, { amount }: Pick<Observation['order'], 'amount'>): void {
    records.payments.length === 0 ? this.#unrequestedAmounts.add(amount) : this.#unrequestedAmounts.delete(amount);
    for (const reference of referencesIn(records)) {
      this.#references.add(reference);
      this.#current.add(reference);
    }
  }

  /**
   * The records without those of earlier orders. An earlier reference is dropped only if there is also a new one, or the amount differs,
   * because a shop may reuse references. A new reference is dropped if its payment has the amount of an earlier order without a payment.
   */
  without(records: Records, { amount }: Pick<Observation['order'], 'amount'>): Records {
    const isEarlier = (reference: string) => this.#references.has(reference) && !this.#current.has(reference);
    const hasNewReference = [...referencesIn(records)].some((reference) => !isEarlier(reference));
    const paymentsOfOtherAmounts = (reference: string) =>
      records.payments.filter((each) => each.payerReference === reference && each.amount !== amount);
    const isLate = (reference: string | null) =>
      reference !== null &&
      (isEarlier(reference)
        ? hasNewReference || paymentsOfOtherAmounts(reference).length > 0
        : paymentsOfOtherAmounts(reference).some((each) => this.#unrequestedAmounts.has(each.amount)));
    const payments = records.payments.filter(({ payerReference }) => !isLate(payerReference));
    const dropped = new Set(records.payments.filter((each) => !payments.includes(each)).map(({ id }) => id));
    return {
      payments,
      deliveries: records.deliveries.filter(({ subjectId }) => !dropped.has(subjectId)),
      requests: records.requests.filter(({ reference }) => !isLate(reference)),
    };
  }
}

/** References of payments, and of calls, because a shop may query a status before it asks for money. */
function referencesIn({ requests, payments }: Records): Set<string> {
  return new Set([
    ...requests.flatMap(({ reference }) => reference ?? []),
    ...payments.map(({ payerReference }) => payerReference),
  ]);
}
