import { createHash } from 'node:crypto';
import { SITUATIONS } from '../../../src/examine/situations/situations.ts';
import { isRequired, REQUIREMENTS } from '../../../src/examine/verdicts/requirements.ts';

/** The digest of the situations and invariants in each set. A dated set never changes, because users compare results by its date: add a new one. */
const FROZEN: Readonly<Record<string, string>> = {
  '2026-12': '3d2980df56354a38ec6b6834058da683091cc93557165e9ffaeb620c9ef3c7db',
};

it('a dated set of requirements does not change', () => {
  const required = SITUATIONS.filter((each) => isRequired([each], 'I1')).map((each) => [
    each.id,
    each.invariants.filter((invariant) => isRequired([each], invariant)),
  ]);
  const digest = createHash('sha256').update(JSON.stringify(required.toSorted())).digest('hex');
  expect(digest).toBe(FROZEN[REQUIREMENTS]);
});

it('requirements count pairs of situations, but not three at once', () => {
  const [one, two, three] = SITUATIONS.filter((each) => isRequired([each], 'I1'));
  const situations = [one, two, three].filter((each) => each !== undefined);
  expect(isRequired(situations.slice(0, 2), 'I1')).toBe(true);
  expect(isRequired(situations, 'I1')).toBe(false);
});

it('requirements do not count an invariant that was added later', () => {
  const [known] = SITUATIONS.filter((each) => isRequired([each], 'I1'));
  expect(known && isRequired([known], 'I13')).toBe(false);
});

it('requirements do not count a situation that was added later', () => {
  const [known] = SITUATIONS;
  expect(known && isRequired([{ ...known, isNext: true }], 'I1')).toBe(false);
});
