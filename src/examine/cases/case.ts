import { INITIATIONS } from '../observation/observation.ts';
import { KINDS, type RuleMembers, type Situation, type SituationKind } from '../situations/situation.ts';
import { SITUATIONS } from '../situations/situations.ts';

/** Longer than any case: a shop's own clock, which does not move with the sandbox's, decides whether a token has expired. */
const TOKEN_LIFETIME = 'P365D';

/** One situation of each kind. */
export type Case = Readonly<Record<SituationKind, Situation>>;

/** The case with these situations, and the default ones of all other kinds. */
export function caseOf(situations: readonly Situation[]): Case {
  return Object.fromEntries(
    KINDS.map((kind) => [kind, situations.find((each) => each.kind === kind) ?? defaultSituation(kind)]),
  ) as Record<SituationKind, Situation>;
}

export function defaultSituation(kind: SituationKind): Situation {
  const found = SITUATIONS.find((each) => each.kind === kind);
  if (!found) {
    throw new Error(`there is no situation of kind ${kind}`);
  }
  return found;
}

/** Whether it is the first situation of its kind, which has no faults. */
export function isDefault(situation: Situation): boolean {
  return situation === defaultSituation(situation.kind);
}

/** Whether it is not combined with others. */
export function isTriedAlone({ race, alone }: Case): boolean {
  return race.race !== undefined || !isDefault(alone);
}

/** The situations of a case except the default ones; if all are default ones, only the outcome. */
export function situationsOf(testCase: Case): Situation[] {
  const nonDefault = KINDS.map((kind) => testCase[kind]).filter((each) => !isDefault(each));
  return nonDefault.length === 0 ? [testCase.outcome] : nonDefault;
}

/** How many calls the provider disturbs in a case. */
export function countFaults(testCase: Case): number {
  const rules = situationsOf(testCase).flatMap(({ payment, statusQuery, other }) => [
    payment,
    statusQuery,
    other?.rule,
  ]);
  const faults = rules.map((rule) => rule?.['fault'] as { times?: number } | undefined);
  return faults.reduce((sum, fault) => sum + (fault?.times ?? 0), 0);
}

/** Whether the provider never answers a payment request of the case. */
export function isNeverAnswered({ call: { payment } }: Case): boolean {
  const { fault } = (payment ?? {}) as { fault?: { kind: string } };
  return fault?.kind === 'timeout';
}

/** Such as answer-lost+notified-twice. */
export function caseIdOf(testCase: Case): string {
  return situationsOf(testCase)
    .map(({ id }) => id)
    .join('+');
}

export function titleOf(testCase: Case): string {
  return situationsOf(testCase)
    .map(({ title }) => title)
    .join('; ');
}

/** The scenario that causes the case. It does not disturb status queries with the references in `earlier`. */
export function scenarioOf(testCase: Case, earlier: readonly string[] = []) {
  const body = { properties: { transactionReference: { not: { enum: earlier } } } };
  // Other situations override the default ones.
  const all = KINDS.map((kind) => testCase[kind]).sort(
    (one, other) => Number(isDefault(other)) - Number(isDefault(one)),
  );
  const other = testCase['other-call'].other ?? testCase.alone.other;
  const behaviour = all.find((each) => each.behaviour !== undefined)?.behaviour;
  return {
    name: 'examined',
    description: titleOf(testCase),
    ...(behaviour === undefined ? {} : { behaviour }),
    rules: [
      {
        when: { operation: [...INITIATIONS] },
        tokenLifetime: TOKEN_LIFETIME,
        ...decideBeforeAnswer(Object.assign({}, ...all.map(({ payment }) => payment))),
      },
      {
        when: { operation: 'getPaymentStatus', ...(earlier.length > 0 ? { body } : {}) },
        ...testCase['status-query'].statusQuery,
      },
      ...(other ? [{ when: { operation: other.operation }, tokenLifetime: TOKEN_LIFETIME, ...other.rule }] : []),
      { when: { operation: 'getAccessToken' }, tokenLifetime: TOKEN_LIFETIME },
    ],
  };
}

/** A notification can only arrive before the answer if the payment is decided by then. */
function decideBeforeAnswer(payment: RuleMembers): RuleMembers {
  const { webhook, settle } = payment as { webhook?: RuleMembers; settle?: RuleMembers };
  return webhook?.['mode'] === 'before-answer' ? { ...payment, settle: { ...settle, after: 'PT0S' } } : payment;
}
