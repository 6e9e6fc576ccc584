import type { CaseVerdict } from '../../../src/examine/verdicts/case-verdicts.ts';
import { causesIn } from '../../../src/examine/verdicts/causes.ts';
import type { InvariantId } from '../../../src/examine/verdicts/invariant.ts';

/** Violations of one order, whose story has this number of steps. */
function violationsOf(
  situation: string,
  invariants: readonly InvariantId[],
  steps = 1,
  more: Partial<CaseVerdict> = {},
): CaseVerdict[] {
  return invariants.map((invariant) => ({
    id: `${invariant}-${situation}-qr-wallet`,
    invariant,
    situation,
    channel: 'qr-wallet',
    verdict: 'violated',
    amount: null,
    history: Array.from({ length: steps }, (_, index) => ({ at: null, side: 'shop', who: 'shop', text: `${index}` })),
    bundle: 'its.bundle',
    test: null,
    isScored: true,
    ...more,
  }));
}

const causeIds = (...orders: CaseVerdict[][]) =>
  causesIn(orders.flat()).map(({ verdicts }) => verdicts.map(({ id }) => id));

it('one order has one cause, the invariant that is violated first', () => {
  expect(causeIds(violationsOf('answer-lost', ['I2', 'I3', 'I10']))).toEqual([
    ['I10-answer-lost-qr-wallet', 'I2-answer-lost-qr-wallet', 'I3-answer-lost-qr-wallet'],
  ]);
});

it('a violation in an undisturbed order explains those in a disturbed one, so no forgery is blamed', () => {
  const causes = causeIds(violationsOf('forged-unsigned', ['I7', 'I1', 'I11']), violationsOf('failed', ['I1', 'I11']));
  expect(causes.map(([first]) => first)).toEqual(['I1-failed-qr-wallet']);
  expect(causes[0]).toHaveLength(5);
});

it('two bugs have two causes', () => {
  expect(causeIds(violationsOf('refunded', ['I8']), violationsOf('notified-twice', ['I2']))).toEqual([
    ['I2-notified-twice-qr-wallet'],
    ['I8-refunded-qr-wallet'],
  ]);
});

it('the shortest story with a bundle and a loss of money or goods is shown', () => {
  const withoutBundle = { bundle: null, note: 'as in another' };
  const orders = [
    violationsOf('answer-empty', ['I10'], 3),
    violationsOf('answer-broken', ['I10', 'I3'], 2, withoutBundle),
    violationsOf('answer-never', ['I10', 'I3'], 9),
    violationsOf('answer-lost', ['I10', 'I3'], 5),
  ];
  expect(causeIds(...orders)[0]?.[0]).toBe('I10-answer-lost-qr-wallet');
});

it('an invariant that holds is not a cause', () => {
  expect(causeIds(violationsOf('paid', ['I1'], 1, { verdict: 'handled' }))).toEqual([]);
});
