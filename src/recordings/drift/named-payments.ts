import type { Instant } from '../../base/time.ts';

/** Payments by what they are called. Several may have one name, such as a reference that is used again. */
export class NamedPayments<Payment> {
  readonly #beganOf: (payment: Payment) => Instant;
  readonly #latest = new Map<string, Payment>();
  /** By names that several have: all of them, in order. */
  readonly #shared = new Map<string, Payment[]>();

  constructor(beganOf: (payment: Payment) => Instant) {
    this.#beganOf = beganOf;
  }

  has(name: string): boolean {
    return this.#latest.has(name);
  }

  set(name: string, payment: Payment): void {
    const known = this.#latest.get(name);
    const several = this.#shared.get(name);
    if (several && known !== payment) {
      several.push(payment);
    } else if (known && known !== payment) {
      this.#shared.set(name, [known, payment]);
    }
    this.#latest.set(name, payment);
  }

  /**
   * The payment that has one of the names alone, or else the latest one with the first of them that had begun at `at`, when the names
   * were told. `isLikely`: which ones that may be, if there is one.
   */
  find(
    names: Iterable<string>,
    at: Instant = Number.POSITIVE_INFINITY,
    isLikely: (payment: Payment) => boolean = () => true,
  ): Payment | undefined {
    let latest: Payment | undefined;
    for (const name of names) {
      const payment = this.#latest.get(name);
      const several = this.#shared.get(name);
      if (payment && !several) {
        return payment;
      }
      const begun = (each: Payment) => this.#beganOf(each) <= at;
      latest ??= several?.findLast((each) => begun(each) && isLikely(each)) ?? several?.findLast(begun) ?? several?.[0];
    }
    return latest;
  }
}
