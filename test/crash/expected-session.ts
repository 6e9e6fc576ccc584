/** How far a payment has come: a call was sent (`requested`, `deciding`) or answered (`created`, `decided`). */
type Stage = 'requested' | 'created' | 'deciding' | 'decided';
export type Payments = ReadonlyMap<string, Stage>;

/** The part of a session's state that these tests check. */
export interface CheckedState {
  state: { counters: Record<string, number> };
  payments?: { id: string; payerReference: string; state: string }[];
  deliveries?: { subjectId: string }[];
}

/** The data that a session must have after a kill: every answered change, and each unanswered one completely or not at all. */
export class ExpectedSession {
  readonly name: string;
  #payments = new Map<string, Stage>();
  /** The payments if an unanswered replacement of all records had an effect. */
  #replacement: Map<string, Stage> | undefined;

  constructor(name: string) {
    this.name = name;
  }

  get payments(): Payments {
    return new Map(this.#payments);
  }

  /** A payment that certainly exists and is not decided. */
  get undecidedPayment(): string | undefined {
    return this.#replacement ? undefined : [...this.#payments].find(([, stage]) => stage === 'created')?.[0];
  }

  setStage(payerReference: string, stage: Stage): void {
    this.#payments.set(payerReference, stage);
    this.#replacement?.set(payerReference, stage);
  }

  /** Must be called before a request that replaces all records in one change. */
  beginReplacement(replacement: Payments): void {
    this.#replacement = new Map(replacement);
  }

  confirmReplacement(): void {
    this.#payments = this.#replacement ?? this.#payments;
    this.#replacement = undefined;
  }

  /** Describes lost or incomplete data; otherwise continues from the stored data. */
  compare(stored: CheckedState): string[] {
    const problems = [...differences(this.#payments, stored), ...partialChanges(stored)];
    if (
      problems.length > 0 &&
      (!this.#replacement || differences(this.#replacement, stored).length + partialChanges(stored).length > 0)
    ) {
      return problems.map((problem) => `session ${this.name}: ${problem}`);
    }
    this.#replacement = undefined;
    this.#payments = new Map(
      (stored.payments ?? []).map(({ payerReference, state }) => [
        payerReference,
        state === 'Paid' ? 'decided' : 'created',
      ]),
    );
    return [];
  }
}

function differences(expected: Payments, { payments = [] }: CheckedState): string[] {
  const states = new Map(payments.map(({ payerReference, state }) => [payerReference, state]));
  const lostPayments = [...expected].flatMap(([payerReference, stage]) => {
    const state = states.get(payerReference);
    if (state === undefined) {
      return stage === 'requested' ? [] : [`payment ${payerReference} was answered, and is missing`];
    }
    if (state !== 'Paid') {
      return stage === 'decided' ? [`payment ${payerReference} was decided, and is ${state}`] : [];
    }
    return stage === 'deciding' || stage === 'decided'
      ? []
      : [`payment ${payerReference} is Paid without a call that decided it`];
  });
  const unexpected = [...states.keys()].filter((payerReference) => !expected.has(payerReference));
  return [...lostPayments, ...unexpected.map((payerReference) => `payment ${payerReference} must not exist`)];
}

/** A decision is stored in one change with its notification, a payment in one change with the counter. */
function partialChanges({ state, payments = [], deliveries = [] }: CheckedState): string[] {
  // Not only Paid: on a slow machine a payment can expire during a run, which is notified, too.
  const inconsistent = payments.filter(({ id, state: paymentState }) => {
    const notified = deliveries.filter(({ subjectId }) => subjectId === id).length;
    return notified !== (paymentState === 'Processing' ? 0 : 1);
  });
  const ids = new Set(payments.map(({ id }) => id));
  const highest = Math.max(0, ...payments.map(({ id }) => Number(id.replace('payment-', ''))));
  return [
    ...inconsistent.map(({ payerReference }) => `payment ${payerReference} does not match its notifications`),
    ...(ids.size < payments.length ? ['an id was used twice'] : []),
    ...((state.counters['payment'] ?? 0) < highest ? [`payment-${highest} is not counted`] : []),
  ];
}
