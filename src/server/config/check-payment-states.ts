import { namesIn } from '../../base/members.ts';
import { errorFinding, type Finding } from '../../base/refusal.ts';
import type { PaymentStatesFixture } from '../../base/schema/generated/fixtures.ts';
import { checkTemplate } from './template.ts';

type Name = Exclude<keyof PaymentStatesFixture, '$schema'>;

const ADJUSTMENTS = ['reason', 'amount', 'paid', 'left', 'currency'];
const CREDIT = ['number', 'count', 'reason'];
const SETTLEMENT = ['businessDate', 'reason', 'report'];

/** What a state means for a shop's books. Only states with the same meaning may have the same word. */
const MEANINGS: Readonly<Record<Name, { meaning: string; variables?: readonly string[] }>> = {
  Processing: { meaning: 'waiting' },
  Paid: { meaning: 'paid' },
  Failed: { meaning: 'not paid' },
  Cancelled: { meaning: 'not paid' },
  Expired: { meaning: 'not paid' },
  PartlyRefunded: { meaning: 'refunded', variables: ADJUSTMENTS },
  Refunded: { meaning: 'refunded', variables: ADJUSTMENTS },
  PartlyReversed: { meaning: 'reversed', variables: ADJUSTMENTS },
  Reversed: { meaning: 'reversed', variables: ADJUSTMENTS },
  PartlyChargedBack: { meaning: 'charged back', variables: ADJUSTMENTS },
  ChargedBack: { meaning: 'charged back', variables: ADJUSTMENTS },
  ChargebackReversed: { meaning: 'chargeback reversed', variables: ADJUSTMENTS },
  PartlyPaid: { meaning: 'payout partly paid' },
  CreditPaid: { meaning: 'credit paid', variables: CREDIT },
  CreditFailed: { meaning: 'credit not paid', variables: CREDIT },
  CreditReturned: { meaning: 'credit not paid', variables: CREDIT },
  SettlementPaid: { meaning: 'settlement paid', variables: SETTLEMENT },
  SettlementReturned: { meaning: 'settlement returned', variables: SETTLEMENT },
  SettlementCollected: { meaning: 'settlement collected', variables: SETTLEMENT },
  SettlementCollectionReturned: { meaning: 'settlement collection returned', variables: SETTLEMENT },
};

/** Equal words for different meanings would lead to wrong books. Case and leading or trailing spaces are ignored, as some clients do. */
export function checkPaymentStates(states: PaymentStatesFixture): Finding[] {
  const names = namesIn<Name>(MEANINGS);
  const normalizedWord = (name: Name) => states[name].word.trim().toLowerCase();
  return names.flatMap((name, index) => {
    const { meaning, variables = [] } = MEANINGS[name];
    const equal = names
      .slice(0, index)
      .find((other) => normalizedWord(other) === normalizedWord(name) && MEANINGS[other].meaning !== meaning);
    return [
      ...checkTemplate(states[name].description, `$.${name}.description`, variables),
      ...(equal === undefined
        ? []
        : [errorFinding(`$.${name}.word`, `a word that ${equal} does not have`, JSON.stringify(states[name].word))]),
    ];
  });
}
