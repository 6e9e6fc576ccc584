import type { Session } from '../sessions/session.ts';
import { addDuration } from '../time.ts';
import type { Fault, Plan } from './scenario.ts';

/**
 * The fault of a plan, if it strikes this time: not more than `times` times, and by chance from the session's seed where
 * it has a probability.
 */
export async function drawFault(session: Session, plan: Plan): Promise<Fault | null> {
  const { fault, rule } = plan;
  if (!fault) {
    return null;
  }
  const struck = session.faultCounts.get(rule) ?? 0;
  if (fault.times !== undefined && struck >= fault.times) {
    return null;
  }
  const { probability = 1 } = fault;
  if (probability < 1 && (await session.transact(async (transaction) => transaction.ids.chance())) >= probability) {
    return null;
  }
  session.faultCounts.set(rule, struck + 1);
  return fault;
}

/** Waits for the fault's latency by the session's clock. */
export async function sufferLatency(session: Session, fault: Fault): Promise<void> {
  if (fault.latency !== undefined) {
    await session.agenda.wait(addDuration(0, fault.latency));
  }
}

/** A fault in words, for the request log. */
export function describeFault(fault: Fault): string {
  const what = fault.kind === 'status' ? `status ${fault.status}` : fault.kind;
  return `${what} ${fault.at} the call${fault.latency ? `, latency ${fault.latency}` : ''}`;
}
