import { type MinorUnits, toDecimalText } from '../money.ts';
import { Refusal } from '../refusal.ts';
import type { Unit } from '../session/unit.ts';
import type { Merchant, Payout } from '../shapes/records.ts';
import { checkActivated, findMerchant } from './merchants.ts';
import { chargesOn, feeRow } from './payments/fees.ts';
import { type Course, checkCurrency, planSettlement } from './payments/initiate.ts';
import { begin, type Transition, transition } from './payments/transitions.ts';

export type PayoutOrder = Pick<
  Payout,
  | 'environment'
  | 'total'
  | 'currency'
  | 'description'
  | 'debit'
  | 'payerName'
  | 'payerReference'
  | 'payerBankReference'
  | 'credits'
> & { merchant: Merchant; course: Course };

/**
 * Keeps a bulk payout whose credits add up to the debit. Nobody approves a payout, so it is paid by itself after the time
 * in fixtures/times.json unless a scenario says otherwise. Refuses with `business-rule` or `merchant-not-activated`.
 */
export async function initiatePayout(unit: Unit, order: PayoutOrder): Promise<Payout> {
  const { merchant, course, ...facts } = order;
  checkActivated(merchant);
  checkCurrency(unit, facts.currency);
  checkSum(facts.total, facts.credits);
  for (const { merchantId } of facts.credits) {
    if (merchantId !== null && !(await findMerchant(unit, merchantId))?.approved) {
      throw new Refusal(
        'business-rule',
        `creditMerchantId ${merchantId} is not an approved merchant (merchants.json says who is)`,
      );
    }
  }
  const settlement = planSettlement(unit, {
    settle: course.settle ?? { outcome: 'Paid', after: unit.fixtures.times.payoutSettlement },
  }) as Payout['settlement'];
  const payout: Payout = {
    id: `payout-${unit.next('payout')}`,
    createdAt: unit.now,
    merchantId: merchant.id,
    ...facts,
    charges: chargesOn(feeRow(unit.fixtures, 'payout'), facts.total),
    state: 'Processing',
    settlement,
    due: settlement?.at ?? null,
    notify: course.notify ?? {},
    history: begin(unit.now, 'merchant'),
  };
  unit.put('payouts', payout);
  unit.emit('payout.created', 'payouts', payout.id);
  return payout;
}

/** Settles a payout and tells the world. Throws `conflict` where the transition table says no. */
export function settlePayout(
  unit: Unit,
  payout: Payout,
  change: Pick<Transition, 'to' | 'cause'> & Partial<Transition>,
): Payout {
  const settled = transition(payout, { at: unit.now, code: null, description: null, ...change });
  unit.put('payouts', settled);
  unit.emit(`payout.${settled.state.toLowerCase()}`, 'payouts', settled.id, { cause: change.cause });
  return settled;
}

/** What the agenda does when a payout is due. */
export async function payoutIsDue(unit: Unit, id: string): Promise<Payout | undefined> {
  const payout = await unit.get('payouts', id);
  if (!payout?.settlement || payout.settlement.at > unit.now) {
    return undefined;
  }
  const { outcome, code, description } = payout.settlement;
  return settlePayout(unit, payout, { to: outcome, cause: 'scenario', code, description });
}

function checkSum(total: MinorUnits, credits: readonly { amount: MinorUnits }[]): void {
  const sum = credits.reduce((added, { amount }) => added + amount, 0);
  if (sum !== total) {
    throw new Refusal(
      'business-rule',
      `the credits add up to ${toDecimalText(sum)}, but debitTotalAmount is ${toDecimalText(total)}`,
    );
  }
}
