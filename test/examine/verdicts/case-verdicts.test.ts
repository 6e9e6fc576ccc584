import { caseOf } from '../../../src/examine/cases/case.ts';
import { SITUATIONS } from '../../../src/examine/situations/situations.ts';
import { CaseVerdicts } from '../../../src/examine/verdicts/case-verdicts.ts';

const caseNamed = (id: string) => caseOf(SITUATIONS.filter((each) => each.id === id));
const UNEXERCISED_VIOLATION = {
  invariant: 'I4',
  verdict: 'violated',
  missed: 'this did not happen: queries are refused',
} as const;
const VIOLATION = { invariant: 'I4', verdict: 'violated' } as const;

const verdictsById = ({ all }: CaseVerdicts) => Object.fromEntries(all.map(({ id, verdict }) => [id, verdict]));

it.each([
  ['before', [UNEXERCISED_VIOLATION, VIOLATION]],
  ['after', [VIOLATION, UNEXERCISED_VIOLATION]],
])('a case that did not happen is not violated, even if it was examined %s one that did', (_when, judgements) => {
  const verdicts = new CaseVerdicts();
  for (const judgement of judgements) {
    verdicts.record(judgement, caseNamed('missed' in judgement ? 'query-refused' : 'notified-never'), 'mobile-money');
  }
  expect(verdictsById(verdicts)).toEqual({
    'I4-query-refused-mobile-money': 'not-exercised',
    'I4-notified-never-mobile-money': 'violated',
  });
  expect(verdicts.counts).toMatchObject({ violated: 1, 'not-exercised': 1 });
});

it('a violation is kept if no case that happened shows it, or only one on another channel', () => {
  const verdicts = new CaseVerdicts();
  verdicts.record(UNEXERCISED_VIOLATION, caseNamed('query-refused'), 'mobile-money');
  verdicts.record(VIOLATION, caseNamed('notified-never'), 'qr-wallet');
  expect(verdicts.counts).toMatchObject({ violated: 2, 'not-exercised': 0 });
  expect(verdicts.findExplained([UNEXERCISED_VIOLATION], caseNamed('query-refused'), 'mobile-money')).toEqual([]);
  expect(verdicts.findExplained([UNEXERCISED_VIOLATION], caseNamed('query-refused'), 'qr-wallet')).toEqual([
    UNEXERCISED_VIOLATION,
  ]);
});

const OTHER = { invariant: 'I7', verdict: 'violated' } as const;

it.each([
  ['explained by an order without faults', 'failed', 'forged-old', 'qr-wallet', true],
  ['not explained by an order without faults on another channel', 'failed', 'forged-old', 'mobile-money', false],
  ['explained by the same case on another channel', 'forged-old', 'forged-old', 'mobile-money', true],
  ['not explained by another case', 'forged-unsigned', 'forged-old', 'qr-wallet', false],
])('the violations of an order are %s that violates one of them', (_what, known, id, channel, isExplained) => {
  const verdicts = new CaseVerdicts();
  const violations = [VIOLATION, OTHER];
  verdicts.record(VIOLATION, caseNamed(known), 'qr-wallet');
  expect(verdicts.findExplained(violations, caseNamed(id), channel)).toEqual([]);
  verdicts.record(VIOLATION, caseNamed(known), 'qr-wallet', [], 'its.bundle');
  const note = `as in I4-${known}-qr-wallet`;
  expect(verdicts.findExplained(violations, caseNamed(id), channel)).toEqual(
    isExplained ? violations.map((each) => ({ ...each, note })) : [],
  );
});
