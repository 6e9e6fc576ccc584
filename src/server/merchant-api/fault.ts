import type { Awaitable } from '../../base/awaitable.ts';
import { Refusal } from '../../base/refusal.ts';
import { replacesAnswer } from '../../base/text/call-words.ts';
import { addDuration } from '../../base/time.ts';
import type { Behaviour } from '../config/fixtures.ts';
import { behaviourOf } from '../domain/behaviours/behaviours.ts';
import { choosePlan } from '../domain/scenarios/choose-plan.ts';
import type { CallPlan, Fault } from '../domain/scenarios/scenario.ts';
import { type Envelope, errorBody } from '../domain/wire/envelopes.ts';
import { resetConnection, whenClosed } from '../http/connection.ts';
import type { CallContext } from '../sessions/call-context.ts';
import { StaleGeneration } from '../sessions/generation.ts';
import type { Session } from '../sessions/session.ts';
import type { Transaction } from '../sessions/transaction.ts';
import { type Exchange, requestedScenario } from './exchange.ts';
import type { RequestRecord } from './request-record.ts';
import { type AnswerForm, type SentAnswer, sendAnswer } from './send-answer.ts';

// Decide: which fault a call gets, and whether it strikes, that is, applies to this call.

/** Adds the fault and the `status` in the answer's body that the behaviour draws for the call, unless the scenario sets its own. */
export function addBehaviourFault(
  plan: CallPlan,
  session: Session,
  context: CallContext,
  channel: string | undefined,
): Awaitable<CallPlan> {
  const { name, calls } = behaviourOf(session.reader, plan.outcomePlan.behaviour);
  if (!calls) {
    return plan;
  }
  const draw = session.transact(({ ids }) => drawBehaviourFault(calls, channel, () => ids.chance()), context);
  return draw.then(({ fault, code }) => {
    const { respond } = plan;
    return {
      ...plan,
      fault: plan.fault ?? fault,
      respond: code === undefined ? respond : { ...respond, members: { status: code, ...respond.members } },
      reason: `${plan.reason}; behaviour ${name}`,
    };
  });
}

type DrawnFault = { at: 'before' | 'after'; kind: 'timeout' } | { at: 'after'; kind: 'latency'; latency: string };

/** Always draws four numbers; otherwise the fault of one call would change that of the next. */
export function drawBehaviourFault(
  { timeouts = 0, latency = [], unknownCodes }: NonNullable<Behaviour['calls']>,
  channel: string | undefined,
  chance: () => number,
): { fault: DrawnFault | null; code: string | undefined } {
  const [timeoutChance, placeChance, latencyChance, codeChance] = [chance(), chance(), chance(), chance()];
  const code = unknownCodes && codeChance < unknownCodes.share ? unknownCodes.code : undefined;
  if (timeoutChance < timeouts) {
    return { fault: { at: placeChance < 0.5 ? 'before' : 'after', kind: 'timeout' }, code };
  }
  const entry = latency.find(({ channels }) => !channels || (channel !== undefined && channels.includes(channel)));
  if (!entry) {
    return { fault: null, code };
  }
  const milliseconds = Math.round(latencyAt(entry.percentiles, 100 * latencyChance));
  return { fault: { at: 'after', kind: 'latency', latency: `PT${milliseconds / 1000}S` }, code };
}

/** Milliseconds at a percentage: linear from 0 to the first percentile and between percentiles, constant after the last. */
export function latencyAt(percentiles: Readonly<Record<string, string>>, percentage: number): number {
  const points = Object.entries(percentiles).map(([at, duration]) => [Number(at), addDuration(0, duration)] as const);
  let [lowerPercentage, lowerMilliseconds] = [0, 0];
  for (const [upperPercentage, upperMilliseconds] of points.sort(([one], [other]) => one - other)) {
    if (percentage <= upperPercentage) {
      const share = (percentage - lowerPercentage) / (upperPercentage - lowerPercentage || 1);
      return lowerMilliseconds + share * (upperMilliseconds - lowerMilliseconds);
    }
    [lowerPercentage, lowerMilliseconds] = [upperPercentage, upperMilliseconds];
  }
  return lowerMilliseconds;
}

/** Applies a fault before the operation. Returns it if it replaces the answer, so that the operation must not run. */
export async function applyFaultBefore(
  fault: Fault,
  plan: CallPlan,
  exchange: Exchange,
  record: RequestRecord,
): Promise<Fault | null> {
  if (fault.at === 'after' || !(await tryToStrikeNow(plan, exchange, record))) {
    return null;
  }
  return (await applyFault(fault, exchange, record)) ? fault : null;
}

/** Applies a fault on arrival to a call that was refused before its fault was decided. Returns it if it replaces the refusal. */
export async function applyArrivalFaultToRefused(
  error: unknown,
  exchange: Exchange,
  record: RequestRecord,
): Promise<Fault | null> {
  const { route, plan: earlierPlan } = record;
  if (!(error instanceof Refusal) || error instanceof StaleGeneration || !route || earlierPlan) {
    return null;
  }
  const { operation, environment } = route;
  try {
    const matchContext = { operation: operation.name, environment, channel: undefined, body: undefined };
    const plan = await choosePlan(exchange.session.reader, matchContext, requestedScenario(exchange));
    if (plan.fault?.at !== 'arrival' || !(await tryToStrikeNow(plan, exchange, record))) {
      return null;
    }
    record.plan = plan;
    return (await applyFault(plan.fault, exchange, record)) ? plan.fault : null;
  } catch (refusal) {
    // The header may name an unknown scenario, or the session may have ended: then the first refusal is reported.
    if (!(refusal instanceof Refusal)) {
      throw refusal;
    }
    return null;
  }
}

function tryToStrikeNow(plan: CallPlan, { session, generation }: Exchange, cause: RequestRecord): Promise<boolean> {
  return session.transact(async (transaction) => tryToStrike(transaction, plan), { generation, cause });
}

/** The fault after the operation, if it strikes. Counted only once the operation has succeeded, so that a refused call uses up no strike. */
export function strikeAfter(transaction: Transaction, plan: CallPlan): Fault | null {
  return plan.fault?.at === 'after' && tryToStrike(transaction, plan) ? plan.fault : null;
}

/** Whether a plan's fault strikes this time, by `times` and probability, drawn from the session's seed. Counts it if it has `times`. */
function tryToStrike(transaction: Transaction, { fault, faultCountId, scenario }: CallPlan): boolean {
  if (!fault) {
    return false;
  }
  const count = transaction.get('faultCounts', faultCountId);
  const strikesBefore = count?.strikes ?? 0;
  if (fault.times !== undefined && strikesBefore >= fault.times) {
    return false;
  }
  if (fault.probability !== undefined && transaction.ids.chance() >= fault.probability) {
    return false;
  }
  if (fault.times !== undefined) {
    transaction.put('faultCounts', { id: faultCountId, scenario, strikes: strikesBefore + 1 });
  }
  return true;
}

/** Takes back the strike of a fault before the operation, if the call is then refused. */
export function undoStrike(transaction: Transaction, { fault, faultCountId, scenario }: CallPlan): void {
  const count = transaction.get('faultCounts', faultCountId);
  if (fault?.times === undefined || !count) {
    return;
  }
  if (count.strikes === 1) {
    transaction.remove('faultCounts', faultCountId);
  } else {
    transaction.put('faultCounts', { id: faultCountId, scenario, strikes: count.strikes - 1 });
  }
}

// Wait: the fault's latency, by the session's clock.

/** Records the fault and waits for its latency. Returns whether the fault replaces the answer; `sendFault` sends the replacement. */
export async function applyFault(
  fault: Fault,
  { session, generation }: Exchange,
  record: RequestRecord,
): Promise<boolean> {
  record.appliedFault = fault;
  await waitForLatency(session, { generation }, fault);
  return replacesAnswer(fault.kind);
}

/** Resolves early if the call's generation or the sandbox ends. */
export async function waitForLatency(
  { clock, scheduler }: Session,
  { generation }: Pick<CallContext, 'generation'>,
  { latency }: Fault,
): Promise<void> {
  if (latency !== undefined && !generation.hasEnded) {
    await scheduler.waitUntil(addDuration(clock.now(), latency), generation);
  }
}

// Send: the replacement of the answer.

/** Resolves with the answer that was sent; null if the fault sends nothing. */
export async function sendFault(
  fault: Fault,
  { response, session }: Exchange,
  envelope: Envelope,
  { headers, isNegotiated }: AnswerForm,
): Promise<SentAnswer | null> {
  switch (fault.kind) {
    case 'reset':
      resetConnection(response.req);
      return null;
    case 'timeout':
      // Neither answers nor closes the connection, so that the client's own timeout ends the call.
      await whenClosed(response);
      return null;
    case 'empty-body':
      return sendAnswer(response, { status: 200, text: '', isNegotiated, headers });
    case 'malformed-body':
      return sendAnswer(response, { status: 200, text: '{"status":"Success","paymentInit', isNegotiated, headers });
    // A latency alone replaces no answer, so it does not get here.
    case 'latency':
    case 'status': {
      const { status = 500, message = `simulated failure with status ${status}`, retryAfter } = fault;
      const text = JSON.stringify(errorBody(envelope, status, message, session.fixtures));
      const allHeaders = retryAfter === undefined ? headers : { ...headers, 'Retry-After': String(retryAfter) };
      return sendAnswer(response, { status, text, isNegotiated, headers: allHeaders });
    }
  }
}
