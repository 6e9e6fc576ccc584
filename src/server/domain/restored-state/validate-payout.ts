import { errorFinding, type Finding } from '../../../base/refusal.ts';
import type { Payout } from '../../../base/schema/generated/records.ts';
import { CREDIT_TRANSITIONS, type CreditState } from '../payments/transitions.ts';
import { type Credit, dueOfCredits } from '../payouts/credits.ts';
import { validateAmount, validateDueAt, validateFees, validateHistory } from './validate-members.ts';

export function validatePayout({ total, fees, credits, history, dueAt, failure }: Payout): Finding[] {
  return [
    ...validateAmount('.total', total, 1),
    ...validateFees(fees),
    ...validateHistory(history, null),
    ...credits.flatMap((credit, index) => validateCredit(credit, `.credits[${index}]`)),
    ...(failure && dueAt === null ? [] : validateDueAt(dueAt, dueOfCredits(credits))),
  ];
}

function validateCredit({ amount, state, history, plannedOutcomes }: Credit, path: string): Finding[] {
  const outcomes = plannedOutcomes.map(({ outcome }) => outcome);
  const planned = outcomes.map((to, index) => ({ from: outcomes[index - 1] ?? state, to }));
  return [
    ...validateAmount(`${path}.amount`, amount, 1),
    ...validateHistory<CreditState | null>(history, 'Processing', isStep, `${path}.history`),
    ...planned.flatMap(({ from, to }, index) =>
      isStep(from, to)
        ? []
        : [errorFinding(`${path}.plannedOutcomes[${index}].outcome`, `a state that follows ${from}`, to)],
    ),
  ];
}

function isStep(from: CreditState | null, to: CreditState | null): boolean {
  return from !== null && to !== null && CREDIT_TRANSITIONS[from].includes(to);
}
