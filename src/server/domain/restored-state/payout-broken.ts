import { errorFinding, type Finding } from '../../../base/refusal.ts';
import type { Payout } from '../../../base/schema/generated/records.ts';
import { CREDIT_TRANSITIONS, type CreditState } from '../payments/transitions.ts';
import { type Credit, dueOfCredits } from '../payouts/credits.ts';
import { amountBroken, dueBroken, feesBroken, historyBroken } from './facts.ts';

export function payoutBroken({ total, fees, credits, history, dueAt, failure }: Payout): Finding[] {
  return [
    ...amountBroken('.total', total, 1),
    ...feesBroken(fees),
    ...historyBroken(history, null),
    ...credits.flatMap((credit, index) => validateCredit(credit, `.credits[${index}]`)),
    ...(failure && dueAt === null ? [] : dueBroken(dueAt, dueOfCredits(credits))),
  ];
}

function validateCredit({ amount, state, history, plannedOutcomes }: Credit, path: string): Finding[] {
  const outcomes = plannedOutcomes.map(({ outcome }) => outcome);
  const planned = outcomes.map((to, index) => ({ from: outcomes[index - 1] ?? state, to }));
  return [
    ...amountBroken(`${path}.amount`, amount, 1),
    ...historyBroken<CreditState | null>(history, 'Processing', isAllowed, `${path}.history`),
    ...planned.flatMap(({ from, to }, index) =>
      isAllowed(from, to)
        ? []
        : [errorFinding(`${path}.plannedOutcomes[${index}].outcome`, `a state that follows ${from}`, to)],
    ),
  ];
}

function isAllowed(from: CreditState | null, to: CreditState | null): boolean {
  return from !== null && to !== null && CREDIT_TRANSITIONS[from].includes(to);
}
