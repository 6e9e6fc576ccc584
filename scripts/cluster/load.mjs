// Clients that pay, read, list and settle through any node, and record all answers.
import { setTimeout as delay } from 'node:timers/promises';
import { askStatus, authenticate, control, isRefused, isUnanswered, pay } from './calls.mjs';

/** Calls are about the last payments of a session, some of which have no answer yet. */
const RECENT = 30;
const PAGE_SIZE = 40;
/** Maximum number of milliseconds between two calls of a client, after a missing answer and after an answer. */
const MAX_WAIT_MS = 400;
const MAX_PAUSE_MS = 250;
const OUTCOMES = ['Paid', 'Failed', 'Cancelled'];
/** A scenario that decides payments after some seconds. */
const DECIDING_SCENARIO = 'auto-approve';

export class Load {
  figures = { payments: 0, unknown: 0, reads: 0, settled: 0, turnovers: 0, unanswered: 0, longestUnavailable: 0 };
  #nodes;
  #history;
  #random;
  #tokens = new Map();
  #references = 0;

  constructor(nodes, history, random) {
    this.#nodes = nodes;
    this.#history = history;
    this.#random = random;
  }

  /** Runs one client until `isOver`. */
  async run(sessions, isOver) {
    while (!isOver()) {
      const isAnswered = await this.#act(this.#random.oneOf(sessions));
      await delay(this.#random.below(isAnswered ? MAX_PAUSE_MS : MAX_WAIT_MS));
    }
  }

  /** Resolves with the payment; its `isAcknowledged` is set if the answer was 200. */
  async pay(session, node = this.#anyNode(), scenario = undefined) {
    this.#references += 1;
    const { below } = this.#random;
    const amount = `${1 + below(500)}.${10 + below(90)}`;
    const facts = { reference: `${session.name}-${this.#references}`, amount, scenario };
    const payment = this.#history.attempt(session, facts);
    const answer = await this.#answerOf(session, pay(node, session.name, facts), [200], () =>
      this.#history.refuse(payment),
    );
    if (answer === undefined) {
      this.figures.unknown += payment.isRefused ? 0 : 1;
      return payment;
    }
    this.#history.acknowledge(payment);
    this.figures.payments += 1;
    const { auth, paymentInitiationResponse: payload } = JSON.parse(answer.text);
    this.#tokens.set(session, auth.token);
    if (payload.paymentId !== payment.reference || payload.status !== 'Processing') {
      this.#history.addViolation(
        `payment ${payment.reference} was answered with ${payload.paymentId}, ${payload.status}`,
      );
    }
    return payment;
  }

  /** Reads a payment by the control API. Resolves with whether there was an answer, as `ask`, `list` and `settle` do. */
  async read(payment, node = this.#anyNode()) {
    const { session, reference } = payment;
    const beganAt = this.#history.nextMoment();
    const call = control(node, session.name, 'GET', `/payments/${reference}`);
    const answer = await this.#answerOf(session, call, [200, 404]);
    this.#record(payment, answer, beganAt, JSON.parse);
    return answer !== undefined;
  }

  /** Queries the status of a payment, as its merchant does. */
  async ask(payment, node = this.#anyNode()) {
    const { session, reference } = payment;
    const token = this.#tokens.get(session) ?? (await this.#authenticate(session, node));
    if (token === undefined) {
      return false;
    }
    const beganAt = this.#history.nextMoment();
    const answer = await this.#answerOf(session, askStatus(node, session.name, reference, token), [200, 404]);
    this.#record(payment, answer, beganAt, (text) => {
      const { status: state, paymentAmount: amount } = JSON.parse(text);
      return { state, amount };
    });
    return answer !== undefined;
  }

  /** Lists the newest payments. */
  async list(session, node = this.#anyNode()) {
    const { acknowledged } = session;
    const beganAt = this.#history.nextMoment();
    const call = control(node, session.name, 'GET', `/payments?limit=${PAGE_SIZE}`);
    const answer = await this.#answerOf(session, call, [200, 404]);
    if (answer) {
      const { items } = answer.status === 200 ? JSON.parse(answer.text) : { items: [] };
      this.#history.recordPage(session, items, { beganAt, acknowledged });
      this.figures.reads += 1;
    }
    return answer !== undefined;
  }

  async settle(payment, node = this.#anyNode(), outcome = this.#random.oneOf(OUTCOMES)) {
    const { session, reference } = payment;
    const beganAt = this.#history.nextMoment();
    payment.countRequest(outcome);
    const call = control(node, session.name, 'POST', `/payments/${reference}/settle`, { outcome });
    const answer = await this.#answerOf(session, call, [200, 404, 409], () =>
      this.#history.refuseDecision(payment, outcome),
    );
    if (answer?.status === 409) {
      const [, id, state] =
        /(\S+) is (?:already )?(Paid|Failed|Cancelled|Expired)\b/.exec(answer.text.replaceAll('"', ' ')) ?? [];
      this.#history.recordPayment(payment, { id, state }, beganAt);
    } else if (answer?.status === 200) {
      this.#history.recordPayment(payment, JSON.parse(answer.text), beganAt);
      this.figures.settled += 1;
    } else if (answer) {
      this.#history.recordMissing(payment, beganAt);
    }
    return answer !== undefined;
  }

  #anyNode() {
    return this.#random.oneOf(this.#nodes);
  }

  async #act(session) {
    const choice = this.#random.below(100);
    const recent = session.payments.slice(-RECENT);
    if (choice < 55 || recent.length === 0) {
      const payment = await this.pay(session, this.#anyNode(), choice < 10 ? DECIDING_SCENARIO : undefined);
      return payment.isAcknowledged && (await this.read(payment));
    }
    const payment = this.#random.oneOf(recent);
    if (choice < 68) {
      return this.ask(payment);
    }
    if (choice < 78) {
      return this.read(payment);
    }
    return choice < 92 ? this.settle(payment) : this.list(session);
  }

  #record(payment, answer, beganAt, factsOf) {
    if (answer?.status === 404) {
      this.#history.recordMissing(payment, beganAt);
    } else if (answer) {
      this.#history.recordPayment(payment, factsOf(answer.text), beganAt);
    }
    this.figures.reads += answer === undefined ? 0 : 1;
  }

  async #authenticate(session, node) {
    const answer = await this.#answerOf(session, authenticate(node, session.name), [200]);
    const token = answer && JSON.parse(answer.text).token;
    if (token !== undefined) {
      this.#tokens.set(session, token);
    }
    return token;
  }

  /** The answer to a call; undefined if it was refused for now (then calls `onRefused`), or if its outcome is unknown. */
  async #answerOf(session, call, expected, onRefused = () => undefined) {
    const answer = await call;
    const now = performance.now();
    if (isUnanswered(answer)) {
      if (isRefused(answer)) {
        onRefused();
      }
      this.figures.unanswered += 1;
      session.unansweredSince ??= now;
      return undefined;
    }
    const unavailable = now - (session.unansweredSince ?? now);
    this.figures.longestUnavailable = Math.max(this.figures.longestUnavailable, unavailable);
    session.unansweredSince = undefined;
    if (!expected.includes(answer.status)) {
      this.#history.addViolation(`session ${session.name}: a call was answered with ${answer.status}: ${answer.text}`);
      return undefined;
    }
    return answer;
  }
}
