import { caseOf, isDefault, situationsOf } from '../../../src/examine/cases/case.ts';
import { isCaseSelected, isSelected, parseNames } from '../../../src/examine/cases/selection.ts';
import { RACES } from '../../../src/examine/race/races.ts';
import { WHOLE_SHOP } from '../../../src/examine/scope.ts';
import { SITUATIONS } from '../../../src/examine/situations/situations.ts';
import { findingIdOf } from '../../../src/examine/verdicts/case-verdicts.ts';
import { invariantsOf } from '../../../src/examine/verdicts/verdicts.ts';

const CHANNELS = ['qr-wallet', 'mobile-money', 'card-network-a'];

/** Situations that are examined by themselves: of the default ones, only `paid` is. */
const EXAMINED = SITUATIONS.filter((each) => !isDefault(each) || each.kind === 'outcome');

it('the default selection contains all channels and all situations', () => {
  const selection = parseNames([], CHANNELS, WHOLE_SHOP);
  expect(selection.channels).toEqual(CHANNELS);
  expect(SITUATIONS.every((each) => isCaseSelected(caseOf([each]), selection))).toBe(true);
});

it('a selection contains exactly the named channels, situations and invariants', () => {
  const selection = parseNames(['mobile-money', 'I2', 'refunded'], CHANNELS, WHOLE_SHOP);
  expect(selection.channels).toEqual(['mobile-money']);
  const wanted = EXAMINED.filter((each) => isCaseSelected(caseOf([each]), selection));
  const expected = EXAMINED.filter(({ id, invariants }) => id === 'refunded' || invariants.includes('I2'));
  expect(wanted).toEqual(expected);
});

it.each(EXAMINED.flatMap((situation) => CHANNELS.map((channel) => ({ situation, channel }))))(
  'a selection accepts the ids of findings: $situation.id on $channel',
  ({ situation, channel }) => {
    const testCase = caseOf([situation]);
    for (const invariant of invariantsOf(testCase)) {
      const selection = parseNames([findingIdOf(invariant, testCase, channel)], CHANNELS, WHOLE_SHOP);
      expect(selection).toEqual({
        channels: [channel],
        areChannelsNamed: true,
        namedIds: [],
        findings: [{ invariant, testCase, channel }],
      });
      expect(isSelected(invariant, testCase, selection)).toBe(true);
      expect(isSelected(invariant, caseOf([]), selection)).toBe(situationsOf(testCase)[0]?.id === 'paid');
    }
  },
);

it('the selection "race" contains exactly the races', () => {
  const selection = parseNames(['race'], CHANNELS, WHOLE_SHOP);
  const wanted = EXAMINED.filter((each) => isCaseSelected(caseOf([each]), selection));
  expect(wanted).toEqual(RACES.filter(({ race }) => race !== undefined));
  expect(wanted.length).toBeGreaterThan(50);
});

it('a selection accepts the id of a finding in two situations at once', () => {
  const { findings } = parseNames(['I3-answer-lost+notified-never-card-network-a'], CHANNELS, WHOLE_SHOP);
  expect(findings.map(({ testCase }) => situationsOf(testCase).map(({ id }) => id))).toEqual([
    ['answer-lost', 'notified-never'],
  ]);
});

it.each(['I2-notified-thrice-mobile-money', 'I99-paid-mobile-money', 'I2-notified-twice-cash', 'notified-twic'])(
  'the selection %s is refused',
  (name) => {
    expect(() => parseNames([name], CHANNELS, WHOLE_SHOP)).toThrow(
      `there is no invariant, situation, channel or finding ${name}`,
    );
  },
);
