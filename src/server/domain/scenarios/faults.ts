import { addDuration } from '../../../base/time.ts';
import type { CallContext } from '../../sessions/call-context.ts';
import type { Session } from '../../sessions/session.ts';
import type { Transaction } from '../../sessions/transaction.ts';
import type { Fault, Plan } from './scenario.ts';

/**
 * Whether a plan's fault strikes this time: not more than `times` times, and by chance from the session's seed where it has
 * a probability. Counted in the transaction, so that a call that is refused uses up nothing.
 */
export async function strikes(transaction: Transaction, { fault, rule, scenario }: Plan): Promise<boolean> {
  if (!fault) {
    return false;
  }
  const before = await transaction.get('faultCounts', rule);
  const strikesBefore = before?.strikes ?? 0;
  if (fault.times !== undefined && strikesBefore >= fault.times) {
    return false;
  }
  if (fault.probability !== undefined && transaction.ids.chance() >= fault.probability) {
    return false;
  }
  if (fault.times !== undefined) {
    transaction.put('faultCounts', { id: rule, scenario, strikes: strikesBefore + 1 });
  }
  return true;
}

/** Takes back a strike of a call that was refused after all. */
export async function undoStrike(transaction: Transaction, { fault, rule, scenario }: Plan): Promise<void> {
  const count = await transaction.get('faultCounts', rule);
  if (fault?.times === undefined || !count) {
    return;
  }
  if (count.strikes === 1) {
    transaction.remove('faultCounts', rule);
  } else {
    transaction.put('faultCounts', { id: rule, scenario, strikes: count.strikes - 1 });
  }
}

/** Starts counting anew: for one scenario, or for all. */
export async function forgetStrikes(transaction: Transaction, ofScenario?: string): Promise<void> {
  for (const { id, scenario } of await transaction.all('faultCounts')) {
    if (ofScenario === undefined || scenario === ofScenario) {
      transaction.remove('faultCounts', id);
    }
  }
}

/** Lets a call wait for the fault's latency by the session's clock, or until the generation that it belongs to ends. */
export async function sufferLatency(
  { history, scheduler }: Session,
  { generation, cause }: CallContext,
  { latency }: Fault,
): Promise<void> {
  // What is left of a call that a reset overtook is no step of the history that begins with it.
  if (latency !== undefined && !generation.ended) {
    await history.moment(cause.id, (at) => scheduler.waitUntil(addDuration(at, latency), generation));
  }
}

/** A fault in words, for the request log. */
export function describeFault(fault: Fault): string {
  const what = fault.kind === 'status' ? `status ${fault.status}` : fault.kind;
  const when = fault.at === 'arrival' ? 'on arrival' : `${fault.at} the call`;
  return `${what} ${when}${fault.latency ? `, latency ${fault.latency}` : ''}`;
}
