/** How far the answers have come that a payment's caller got. */
type Stage = 'asked' | 'made' | 'settling' | 'settled';
export type Payments = ReadonlyMap<string, Stage>;

/** What a session keeps, as far as these tests look at it. */
export interface KeptState {
  state: { counters: Record<string, number> };
  payments?: { id: string; payerReference: string; state: string }[];
  deliveries?: { subjectId: string }[];
}

/** What a session must have after a kill: all that was answered, and of the rest each change whole or not at all. */
export class ExpectedSession {
  readonly name: string;
  #payments = new Map<string, Stage>();
  /** What there is instead, if a wipe that was not answered has happened all the same. */
  #instead: Map<string, Stage> | undefined;

  constructor(name: string) {
    this.name = name;
  }

  get payments(): Payments {
    return new Map(this.#payments);
  }

  /** A payment that is there for certain, and may be settled. */
  get unsettled(): string | undefined {
    return this.#instead ? undefined : [...this.#payments].find(([, stage]) => stage === 'made')?.[0];
  }

  reached(payerReference: string, stage: Stage): void {
    this.#payments.set(payerReference, stage);
    this.#instead?.set(payerReference, stage);
  }

  /** All records are about to be replaced by others, in one change. */
  wiping(instead: Payments): void {
    this.#instead = new Map(instead);
  }

  wiped(): void {
    this.#payments = this.#instead ?? this.#payments;
    this.#instead = undefined;
  }

  /** Describes lost or incomplete data; otherwise continues from the stored data. */
  compare(stored: KeptState): string[] {
    const problems = [...differences(this.#payments, stored), ...halves(stored)];
    if (
      problems.length > 0 &&
      (!this.#instead || differences(this.#instead, stored).length + halves(stored).length > 0)
    ) {
      return problems.map((problem) => `session ${this.name}: ${problem}`);
    }
    this.#instead = undefined;
    this.#payments = new Map(
      (stored.payments ?? []).map(({ payerReference, state }) => [
        payerReference,
        state === 'Paid' ? 'settled' : 'made',
      ]),
    );
    return [];
  }
}

function differences(expected: Payments, { payments = [] }: KeptState): string[] {
  const states = new Map(payments.map(({ payerReference, state }) => [payerReference, state]));
  const lostPayments = [...expected].flatMap(([payerReference, stage]) => {
    const state = states.get(payerReference);
    if (state === undefined) {
      return stage === 'asked' ? [] : [`payment ${payerReference} was answered, and is gone`];
    }
    if (state !== 'Paid') {
      return stage === 'settled' ? [`payment ${payerReference} was settled, and is ${state}`] : [];
    }
    return stage === 'settling' || stage === 'settled'
      ? []
      : [`payment ${payerReference} is Paid, and nobody settled it`];
  });
  const strange = [...states.keys()].filter((payerReference) => !expected.has(payerReference));
  return [...lostPayments, ...strange.map((payerReference) => `payment ${payerReference} is there, and must not be`)];
}

/** A settlement is one change with its notification, and a payment one with the count of payments. */
function halves({ state, payments = [], deliveries = [] }: KeptState): string[] {
  // On a slow machine a run takes longer than a payment waits for its payer: it expires, and that is notified, too.
  const wrong = payments.filter(({ id, state: reached }) => {
    const notified = deliveries.filter(({ subjectId }) => subjectId === id).length;
    return notified !== (reached === 'Processing' ? 0 : 1);
  });
  const ids = new Set(payments.map(({ id }) => id));
  const highest = Math.max(0, ...payments.map(({ id }) => Number(id.replace('payment-', ''))));
  return [
    ...wrong.map(({ payerReference }) => `payment ${payerReference} is half there: its notification does not fit it`),
    ...(ids.size < payments.length ? ['an id was given out twice'] : []),
    ...((state.counters['payment'] ?? 0) < highest ? [`payment-${highest} is there, and is not counted`] : []),
  ];
}
