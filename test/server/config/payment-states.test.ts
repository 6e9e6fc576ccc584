import fc from 'fast-check';
import { checkPaymentStates } from '../../../src/server/config/check-payment-states.ts';
import { loadFixtures } from '../../../src/server/config/fixtures.ts';
import { cases } from '../../cases.ts';

type States = Parameters<typeof checkPaymentStates>[0];
type Name = Exclude<keyof States, '$schema'>;

/** States that may share one word, because a shop treats them alike. */
const ALIKE: readonly (readonly Name[])[] = [
  ['Failed', 'Cancelled', 'Expired'],
  ['PartlyRefunded', 'Refunded'],
  ['PartlyReversed', 'Reversed'],
  ['PartlyChargedBack', 'ChargedBack'],
  ['CreditFailed', 'CreditReturned'],
];

let states: States;
let names: Name[];

beforeAll(async () => {
  ({ paymentStates: states } = await loadFixtures());
  names = Object.keys(states).filter((name): name is Name => name !== '$schema');
});

const withWord = (name: Name, word: string): States => ({ ...states, [name]: { ...states[name], word } });

it('the shipped payment states have no findings', () => {
  expect(checkPaymentStates(states)).toEqual([]);
});

it('two states that shops treat differently cannot have the same word, regardless of case, leading and trailing spaces', () => {
  const spellings = fc.constantFrom(
    (word: string) => word,
    (word: string) => word.toUpperCase(),
    (word: string) => ` ${word.toLowerCase()} `,
  );
  fc.assert(
    fc.property(fc.nat(), fc.nat(), spellings, (one, other, spell) => {
      const [name, same] = [names[one % names.length], names[other % names.length]];
      fc.pre(name !== undefined && same !== undefined && name !== same);
      const findings = checkPaymentStates(withWord(name, spell(states[same].word)));
      const isAlike = ALIKE.some((group) => group.includes(name) && group.includes(same));
      expect(findings.map(({ path }) => path)).toHaveLength(isAlike ? 0 : 1);
      expect([`$.${name}.word`, `$.${same}.word`]).toContain(findings[0]?.path ?? `$.${name}.word`);
    }),
    { numRuns: cases(300) },
  );
});

it('payment states accept custom words in any language', () => {
  const translated = names.map((name, index): [Name, States[Name]] => [
    name,
    { ...states[name], word: `état ${index}` },
  ]);
  expect(checkPaymentStates({ ...states, ...Object.fromEntries(translated) })).toEqual([]);
});

it.each([
  ['Paid', '{{reason}}'],
  ['Refunded', '{{number}}'],
  ['CreditFailed', '{{amount}}'],
  ['SettlementPaid', '{{left}}'],
] as const)('the description of %s must not have the placeholder %s', (name, description) => {
  const findings = checkPaymentStates({ ...states, [name]: { ...states[name], description } });
  expect(findings.map(({ path }) => path)).toEqual([`$.${name}.description`]);
});
