// Records the calls and answers of clients, and detects contradictions: every answer is checked at once against the known facts
// about its payment.

const PROCESSING = 'Processing';

/** A requested payment. Moments are numbers in the order of requests and answers. */
class KnownPayment {
  /** Undefined until an answer contains its id. */
  id = undefined;
  isAcknowledged = false;
  /** Whether an answer said that it was not created. */
  isRefused = false;
  /** The first answer that contained it. */
  knownSince = Number.POSITIVE_INFINITY;
  /** Its final state, and the first answer that contained it. */
  final = undefined;
  finalSince = Number.POSITIVE_INFINITY;
  /** Possible outcomes: each requested one, with the number of requests that were not refused. */
  outcomes = new Map();

  constructor(session, { reference, amount, scenario }) {
    this.session = session;
    this.reference = reference;
    this.amount = amount;
    if (scenario !== undefined) {
      this.countRequest('Paid');
    }
    this.isDecidedByScenario = scenario !== undefined;
  }

  countRequest(outcome, times = 1) {
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + times);
  }
}

export class KnownSession {
  payments = [];
  byReference = new Map();
  byId = new Map();
  acknowledged = 0;
  /** Since when calls have no answers, in milliseconds; undefined while calls are answered. */
  unansweredSince = undefined;

  constructor(name) {
    this.name = name;
  }
}

export class History {
  violations = [];
  #moment = 0;

  nextMoment() {
    this.#moment += 1;
    return this.#moment;
  }

  addViolation(words) {
    this.violations.push(words);
  }

  /** Records a payment before it is requested. */
  attempt(session, facts) {
    const payment = new KnownPayment(session, facts);
    session.payments.push(payment);
    session.byReference.set(facts.reference, payment);
    return payment;
  }

  acknowledge(payment) {
    payment.isAcknowledged = true;
    payment.session.acknowledged += 1;
    payment.knownSince = Math.min(payment.knownSince, this.nextMoment());
  }

  /** Records an answer that the call had no effect and is to be repeated. */
  refuse(payment) {
    payment.isRefused = true;
    this.#expectNotCreated(payment);
  }

  /** Records an answer that a call to decide the payment had no effect and is to be repeated. */
  refuseDecision(payment, outcome) {
    payment.countRequest(outcome, -1);
    this.#expectRequested(payment);
  }

  /** Records an answer that the payment does not exist. */
  recordMissing(payment, beganAt) {
    if (payment.knownSince < beganAt) {
      this.addViolation(`${nameOf(payment)} was there, and a later read did not find it`);
    }
  }

  /** Records an answer that contains the payment. */
  recordPayment(payment, { id, state, amount, history }, beganAt) {
    const now = this.nextMoment();
    payment.knownSince = Math.min(payment.knownSince, now);
    this.#expectNotCreated(payment);
    if (amount !== undefined && Number(amount) !== Number(payment.amount)) {
      this.addViolation(`${nameOf(payment)} was of ${payment.amount}, and is of ${amount}`);
    }
    if (history !== undefined && (history.at(-1).to !== state || history.length > 2)) {
      this.addViolation(`${nameOf(payment)} is ${state} with the history ${JSON.stringify(history)}`);
    }
    this.#recordId(payment, id);
    this.#recordState(payment, state, beganAt, now);
  }

  /** Records a page of the newest payments; `acknowledged` is the number of acknowledged payments when its call began. */
  recordPage(session, items, { beganAt, acknowledged }) {
    const numbers = items.map(({ id }) => numberOf(id));
    if ((numbers[0] ?? 0) < acknowledged) {
      this.addViolation(
        `session ${session.name}: ${acknowledged} payments were acknowledged, but a later list ends at ${numbers[0]}`,
      );
    }
    if (numbers.some((number, index) => number !== numbers[0] - index)) {
      this.addViolation(`session ${session.name}: a list has the payments ${numbers.join(', ')}`);
    }
    for (const item of items) {
      this.recordItem(session, item, beganAt);
    }
  }

  recordItem(session, item, beganAt) {
    const payment = session.byReference.get(item.payerReference);
    if (payment === undefined) {
      this.addViolation(
        `session ${session.name}: ${item.id} has the reference ${item.payerReference}, which no call contained`,
      );
    } else {
      this.recordPayment(payment, item, beganAt);
    }
  }

  #recordId(payment, id) {
    if (id === undefined) {
      return;
    }
    const { byId } = payment.session;
    const other = byId.get(id);
    if (payment.id !== undefined && payment.id !== id) {
      this.addViolation(`${nameOf(payment)} had the id ${payment.id}, and has ${id}`);
    } else if (other !== undefined && other !== payment) {
      this.addViolation(`${nameOf(payment)} and ${other.reference} were both shown as ${id}`);
    }
    payment.id = id;
    byId.set(id, payment);
  }

  #recordState(payment, state, beganAt, now) {
    if (state === PROCESSING) {
      if (payment.finalSince < beganAt) {
        this.addViolation(`${nameOf(payment)} was ${payment.final}, and a later read shows it as ${state}`);
      }
    } else if (payment.final !== undefined && payment.final !== state) {
      this.addViolation(`${nameOf(payment)} was ${payment.final}, and is ${state}`);
    } else {
      payment.final = state;
      payment.finalSince = Math.min(payment.finalSince, now);
      this.#expectRequested(payment);
    }
  }

  #expectNotCreated(payment) {
    if (payment.isRefused && payment.knownSince < Number.POSITIVE_INFINITY) {
      this.addViolation(`${nameOf(payment)} was refused, to be sent again, but exists`);
    }
  }

  #expectRequested(payment) {
    const { final, outcomes } = payment;
    if (final !== undefined && !(outcomes.get(final) > 0)) {
      this.addViolation(`${nameOf(payment)} is ${final}, although no call with this outcome can have taken effect`);
    }
  }
}

/** Payments are numbered from 1 in each session. */
export function numberOf(id) {
  return Number(/^payment-(\d+)$/.exec(id)?.[1]);
}

function nameOf({ session, reference }) {
  return `session ${session.name}: payment ${reference}`;
}
