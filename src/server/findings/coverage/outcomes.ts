import { ownMember } from '../../../base/members.ts';
import type { Cell, CellKey } from '../../../base/report/coverage-cells.ts';
import type { Payment } from '../../../base/schema/generated/records.ts';
import type { Channel, Fixtures } from '../../config/fixtures.ts';
import { isPaying } from '../../domain/books/ledger/payment-movements.ts';
import { pinPrompt } from '../../domain/channels/pin-prompt/pin-prompt.ts';
import { reasonsOf } from '../../domain/payments/payer-limits.ts';
import type { ScenarioRule } from '../../domain/scenarios/scenario.ts';
import { toSource } from './source-code.ts';

type Step = Payment['history'][number];
type SettleRule = NonNullable<ScenarioRule['settle']>;

type CodedOutcome = Pick<SettleRule, 'outcome'> & { code: string };

/** The outcomes in the fixtures: channels, test mode, scenarios, test cards, the wrong PIN, limits. */
export function outcomeCells(fixtures: Fixtures): Cell[] {
  return fixtures.channels.channels.flatMap((channel) => {
    const cells = outcomesOn(channel, fixtures).map(({ outcome, code }) => ({
      class: 'outcomes' as const,
      of: channel.id,
      what: `${outcome} ${code}`,
      try: `await session.settle(reference, ${toSource(outcome)}, ${toSource(code)});`,
    }));
    return [...new Map(cells.map((cell) => [cell.what, cell])).values()];
  });
}

/** The outcome of a payment; undefined if it has none yet, or if its latest step is an adjustment. */
export function outcomeCellOf({ channel, history }: Payment): CellKey | undefined {
  const step = history.at(-1);
  return step && decidesPayment(step) ? outcomeCell(channel, step) : undefined;
}

/** The outcome that a notification reported, even if the payment has changed since. */
export function notifiedOutcomeCell(type: string, { channel, history }: Payment): CellKey | undefined {
  const step = history.findLast((each) => decidesPayment(each) && type === `payment.${each.to.toLowerCase()}`);
  return step && outcomeCell(channel, step);
}

function decidesPayment(step: Step): boolean {
  return step.from === 'Processing' || isPaying(step);
}

function outcomeCell(channel: string, { to, code }: Step): CellKey {
  return { class: 'outcomes', of: channel, what: `${to} ${code}` };
}

function outcomesOn(channel: Channel, fixtures: Fixtures): CodedOutcome[] {
  const { outcomes: reasons, testMode, flow } = channel;
  const channelOutcomes = (['Paid', 'Failed', 'Cancelled', 'Expired'] as const).map((outcome) => ({
    outcome,
    code: reasons[outcome].code,
  }));
  const settleRules = [
    ...(testMode ? [testMode.settle] : []),
    ...[...fixtures.scenarios.values()].flatMap(({ rules }) => rulesFor(channel, rules)),
  ];
  const cards = fixtures.testCards.cards.filter(({ numbers }) => ownMember(numbers, channel.id) !== undefined);
  const { amount, count, balance } = reasonsOf(fixtures, channel.id);
  const limits = fixtures.payerLimits.limits.length > 0 ? [amount, count, balance] : [];
  return [
    ...channelOutcomes,
    ...settleRules.map(({ outcome, code = reasons[outcome].code }) => ({ outcome, code })),
    ...cards,
    ...(flow === pinPrompt.name ? [fixtures.phone.wrongPin] : []),
    ...limits.map(({ code }) => ({ outcome: 'Failed' as const, code })),
  ];
}

/** The outcomes of a scenario's rules on a channel, up to the first rule that applies to all payments. */
function rulesFor({ id }: Channel, rules: readonly ScenarioRule[]): SettleRule[] {
  const matches = rules.filter(({ when }) => when?.channel === undefined || [when.channel].flat().includes(id));
  const index = matches.findIndex(({ when: { channel: _, ...others } = {} }) => Object.keys(others).length === 0);
  return matches.slice(0, index === -1 ? undefined : index + 1).flatMap(({ settle }) => settle ?? []);
}
