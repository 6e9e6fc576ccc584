import { OutcomeUnknown, Refusal } from '../../base/refusal.ts';
import { behaviourOf } from '../domain/behaviours/behaviours.ts';
import { drawFate } from '../domain/behaviours/calls.ts';
import { choosePlan } from '../domain/scenarios/choose.ts';
import { strikes, sufferLatency, undoStrike } from '../domain/scenarios/faults.ts';
import type { Fault, Plan } from '../domain/scenarios/scenario.ts';
import type { CallContext } from '../sessions/call-context.ts';
import { StaleGeneration } from '../sessions/generation.ts';
import type { Session } from '../sessions/session.ts';
import type { Transaction } from '../sessions/transaction.ts';
import { type Exchange, requestedScenario } from './exchange.ts';
import type { Call, HandlerResult, Operation } from './operation.ts';
import type { RequestRecord } from './request-record.ts';

/** The plan with what the behaviour lets become of the call; what a scenario orders goes first. */
export async function withFate(
  plan: Plan,
  session: Session,
  context: CallContext,
  channel: string | undefined,
): Promise<Plan> {
  const { name, calls } = behaviourOf(session, plan.outcomePlan.behaviour);
  if (!calls) {
    return plan;
  }
  const { fault, code } = await session.transact(
    async ({ ids }) => drawFate(calls, channel, () => ids.chance()),
    context,
  );
  const { respond } = plan;
  return {
    ...plan,
    fault: plan.fault ?? fault,
    respond: code === undefined ? respond : { ...respond, members: { status: code, ...respond.members } },
    outcome: `${plan.outcome}; behaviour ${name}`,
  };
}

/** The plan's fault, where it is one that strikes before the call and does so this time. */
export async function faultBefore(plan: Plan, session: Session, context: CallContext): Promise<Fault | null> {
  const { fault } = plan;
  if (!fault || fault.at === 'after') {
    return null;
  }
  const isStruck = await session.transact((transaction) => strikes(transaction, plan), context);
  return isStruck ? fault : null;
}

/** Lets the operation do its work; a fault that strikes after it is counted in the same transaction. */
export async function perform(
  operation: Operation,
  call: Call,
  context: CallContext,
  struckBefore: Fault | null,
): Promise<HandlerResult & { fault: Fault | null }> {
  const { session, plan } = call;
  const faultAfter = async (transaction: Transaction) =>
    plan.fault?.at === 'after' && (await strikes(transaction, plan)) ? plan.fault : null;
  try {
    if ('read' in operation) {
      const outcome = await session.read((reader) => operation.read(call, reader), context);
      return { ...outcome, fault: plan.fault ? await session.transact(faultAfter, context) : null };
    }
    return await session.transact(
      async (transaction) => ({
        ...(await operation.handle(call, transaction)),
        fault: await faultAfter(transaction),
      }),
      context,
    );
  } catch (error) {
    // Where it may be done, it has struck.
    if (struckBefore && !(error instanceof OutcomeUnknown)) {
      await session.transact((transaction) => undoStrike(transaction, plan), context);
    }
    throw error;
  }
}

/** Waits for a fault's latency; true where it then takes the place of the answer. */
export async function takesPlace(
  fault: Fault,
  { session, generation }: Exchange,
  record: RequestRecord,
): Promise<boolean> {
  record.struck = fault;
  await sufferLatency(session, { generation, cause: record }, fault);
  return fault.kind !== 'latency';
}

/** The fault on arrival that takes the place of a refusal; null where there is none. */
export async function faultOnArrival(error: unknown, exchange: Exchange, record: RequestRecord): Promise<Fault | null> {
  const { route, plan: planned } = record;
  if (!(error instanceof Refusal) || error instanceof StaleGeneration || !route || planned) {
    return null;
  }
  const { operation, environment } = route;
  const { session, generation } = exchange;
  try {
    const unread = { operation: operation.name, environment, channel: undefined, body: undefined };
    const plan = await choosePlan(session, unread, requestedScenario(exchange));
    const struck =
      plan.fault?.at === 'arrival' ? await faultBefore(plan, session, { generation, cause: record }) : null;
    if (struck) {
      record.planned(plan);
      return (await takesPlace(struck, exchange, record)) ? struck : null;
    }
  } catch (refusal) {
    // The header may name no scenario, or the session be over: then the first refusal says enough.
    if (!(refusal instanceof Refusal)) {
      throw refusal;
    }
  }
  return null;
}
