import { membersOf } from '../../base/members.ts';
import type { RequestView } from '../../base/schema/generated/control.ts';
import { parseInstant } from '../../base/time.ts';
import { delay, steadyNow } from '../../base/timers.ts';
import { type Case, scenarioOf } from '../cases/case.ts';
import { INITIATIONS } from '../observation/observation.ts';
import type { ExaminedShop } from '../shop/examined-shop.ts';

/** Real milliseconds between two polls, and to wait for the call whose answer is held. */
const POLL_MS = 5;
const CALL_WAIT_MS = 3000;

/**
 * Lets the provider hold the answer to one call that `begin` causes, for `holdMs` real milliseconds. Resolves with the remaining
 * milliseconds, and the time, by the provider's clock, at which the answer is sent; undefined if there is no such call.
 */
export async function holdAnswer(
  target: Pick<ExaminedShop, 'client'>,
  testCase: Case,
  { isPayment, holdMs }: { isPayment: boolean; holdMs: number },
  begin: () => Promise<unknown>,
): Promise<{ leftMs: number; sentAt: string } | undefined> {
  const { client } = target;
  const heldBefore = await countHeldAnswers(target);
  const scenario = holdingScenario(testCase, isPayment, holdMs, `holding-${heldBefore}`);
  await client.defineScenario(scenario);
  await client.useScenario(scenario.name);
  const state = { hasEnded: false };
  const end = () => {
    state.hasEnded = true;
  };
  begin().then(end, end);
  const startedAt = steadyNow();
  for (let isLast = false; !isLast; ) {
    // Decided before the poll, because on a slow machine an answer may be held, and sent, between two polls. A shop may accept an
    // order before it requests the payment.
    isLast = steadyNow() - startedAt >= CALL_WAIT_MS || (state.hasEnded && !isPayment);
    if ((await countHeldAnswers(target)) > heldBefore) {
      const { now, nextDue } = await client.clock();
      await client.useScenario('examined');
      const sentAt = nextDue ?? now;
      return { leftMs: Math.min(holdMs, parseInstant(sentAt) - parseInstant(now)), sentAt };
    }
    await delay(POLL_MS);
  }
  await client.useScenario('examined');
  return undefined;
}

function holdingScenario(testCase: Case, isPayment: boolean, holdMs: number, name: string) {
  const fault = { at: 'after', kind: 'latency', latency: `PT${holdMs / 1000}S`, times: 1 };
  const scenario = scenarioOf(testCase);
  const isHeld = (operations: string | readonly string[]) =>
    isPayment ? [...INITIATIONS].every((each) => operations.includes(each)) : operations === 'getPaymentStatus';
  const rules = scenario.rules.map((rule) => (isHeld(rule.when.operation) ? { ...rule, fault } : rule));
  return { ...scenario, name, rules };
}

/** Counts the answers that the provider has held since the session was reset: a race has no other faults. */
async function countHeldAnswers({ client }: Pick<ExaminedShop, 'client'>): Promise<number> {
  const { faultCounts } = (await client.state()) as { faultCounts?: { strikes: number }[] };
  return (faultCounts ?? []).reduce((sum, { strikes }) => sum + strikes, 0);
}

/** Unfreezes the clock without a jump back. */
export async function unfreezeClock({ client }: Pick<ExaminedShop, 'client'>): Promise<void> {
  const { now: before } = await client.clock();
  const { now: machine } = await client.unfreeze();
  const aheadMs = parseInstant(before) - parseInstant(machine);
  if (aheadMs > 0) {
    // Otherwise later events would have earlier times.
    await client.advance(`PT${aheadMs / 1000}S`);
  }
}

/** The status in the held answer to a status query, as it was at the time of the query; undefined if the answer has none. */
export async function readHeldStatus(client: ExaminedShop['client']): Promise<string | undefined> {
  const { items } = await client.list<RequestView>('requests', { limit: '50' });
  const answer = items.find(({ fault, operation }) => fault !== null && operation === 'getPaymentStatus')?.answer;
  const { status } = membersOf(answer && JSON.parse(answer.body));
  return typeof status === 'string' ? status : undefined;
}
