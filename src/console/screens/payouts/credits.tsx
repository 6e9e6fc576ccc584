import type { CreditOutcomeChoice, PayoutView } from '../../../base/schema/generated/control.ts';
import { inWords } from '../../../base/text/words.ts';
import { ask } from '../../api.ts';
import { joinTexts, Moment } from '../../components/parts.tsx';
import { Shape, State, toneOf } from '../../components/state.tsx';
import { isolate } from '../../format.ts';
import { Money } from '../../record/money.tsx';
import { attempt, showToast } from '../../toasts.ts';

type Credit = PayoutView['credits'][number];
type Outcome = CreditOutcomeChoice['outcome'];

/** The outcomes that a user can choose for a credit in each state. */
const OUTCOMES: Readonly<Record<Credit['state'], readonly Outcome[]>> = {
  Processing: ['Paid', 'Failed'],
  Paid: ['Returned'],
  Failed: [],
  Returned: [],
};

const PLANNED_WORDS: Readonly<Record<Outcome, string>> = {
  Paid: 'Will be paid',
  Failed: 'Will fail',
  Returned: 'Will be returned',
};
const ACTION_LABELS: Readonly<Record<Outcome, string>> = {
  Paid: 'Mark as paid',
  Failed: 'Mark as failed',
  Returned: 'Return this credit',
};

export function CreditTotals({ payout: { totals, currency } }: { payout: PayoutView }) {
  const present = (Object.keys(OUTCOMES) as Credit['state'][]).filter((state) => totals[state].credits > 0);
  return (
    <p class="credit-totals" data-testid="totals">
      {present.map((state) => (
        <span key={state}>
          <Shape tone={toneOf(state)} />
          {totals[state].credits} {inWords(state).toLowerCase()}{' '}
          <Money amount={totals[state].amount} currency={currency} />
        </span>
      ))}
    </p>
  );
}

export function Credits({ payout }: { payout: PayoutView }) {
  return (
    <ol class="credits" data-testid="credits">
      {payout.credits.map((credit, index) => (
        <li key={`${index + 1} ${credit.accountNumber}`}>
          <span class="credit-number">{index + 1}</span>
          <div class="credit-to">
            <p>
              <bdi>{credit.accountName}</bdi>
              {credit.merchantId === null ? null : ` (${credit.merchantId})`}
            </p>
            <p class="quiet">{joinTexts([credit.accountNumber, credit.bankName, credit.bankBICCode])}</p>
            <ReasonAndPlan credit={credit} />
          </div>
          <p class="credit-amount">
            <Money amount={credit.amount} currency={payout.currency} />
          </p>
          <div class="credit-state">
            <State state={credit.state} />
          </div>
          <SettleCredit payout={payout} number={index + 1} outcomes={OUTCOMES[credit.state]} />
        </li>
      ))}
    </ol>
  );
}

function ReasonAndPlan({ credit: { history, plannedOutcomes } }: { credit: Credit }) {
  const { code = null, description = null } = history.at(-1) ?? {};
  return (
    <>
      {code === null && description === null ? null : (
        <p>
          {code === null ? null : <code>{code}</code>} <bdi>{description}</bdi>
        </p>
      )}
      {plannedOutcomes.map(({ outcome, at, code: planned }) => (
        <p key={`${outcome} ${at}`} class="quiet">
          {PLANNED_WORDS[outcome]}
          {planned === null ? null : (
            <>
              {' '}
              <code>{planned}</code>
            </>
          )}{' '}
          at <Moment at={at} />
        </p>
      ))}
    </>
  );
}

interface SettleCreditProps {
  payout: PayoutView;
  number: number;
  outcomes: readonly Outcome[];
}

function SettleCredit({ payout: { id, payerReference }, number, outcomes }: SettleCreditProps) {
  const settle = (outcome: Outcome) =>
    attempt(async () => {
      await ask('POST', `payouts/${id}/credits/${number}/settle`, { body: { outcome } });
      showToast(
        `Credit ${number} of ${isolate(payerReference)} was ${outcome === 'Returned' ? 'returned' : `marked as ${outcome.toLowerCase()}`}.`,
      );
    });
  return (
    <div class="credit-settle">
      {outcomes.map((outcome) => (
        <button
          type="button"
          key={outcome}
          class="button"
          aria-label={`${ACTION_LABELS[outcome]}: credit ${number}`}
          onClick={() => settle(outcome)}
        >
          {ACTION_LABELS[outcome]}
        </button>
      ))}
    </div>
  );
}
