import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AdapterError } from '../../../src/examine/shop/adapter.ts';
import { classifyFailures, readBaseline } from '../../../src/examine/verdicts/baseline.ts';
import type { CaseVerdict } from '../../../src/examine/verdicts/case-verdicts.ts';
import type { Verdict } from '../../../src/examine/verdicts/verdicts.ts';
import { temporaryFolders } from '../../temporary-folder.ts';

const folder = temporaryFolders()();
const caseVerdict = (id: string, verdict: Verdict, isScored = true): CaseVerdict => ({
  id,
  verdict,
  isScored,
  amount: null,
  invariant: 'I2',
  situation: 'notified-twice',
  channel: 'mobile-money',
  history: [],
  bundle: null,
  test: null,
});

function write(name: string, content: unknown): string {
  const file = join(folder, name);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

it('a baseline separates new violations of requirements from known ones, and lists fixed ones', () => {
  const verdicts = [
    caseVerdict('new', 'violated'),
    caseVerdict('known', 'violated'),
    caseVerdict('unscored', 'violated', false),
    caseVerdict('fixed-now', 'handled'),
    caseVerdict('fixed-by-the-job', 'handled-after-reconcile'),
    caseVerdict('undecided', 'inconclusive'),
  ];
  const { violated, fixed } = classifyFailures(
    verdicts,
    new Set(['known', 'fixed-now', 'fixed-by-the-job', 'undecided', 'gone']),
  );
  expect(violated.map(({ id }) => id)).toEqual(['new']);
  expect(fixed).toEqual(['fixed-now', 'fixed-by-the-job']);
});

it('a new violation of the next requirements is uncounted, unless these are required already', () => {
  const verdicts = [caseVerdict('known', 'violated', false), caseVerdict('unscored', 'violated', false)];
  const idsOf = (isNextRequired: boolean) => {
    const { violated, uncounted } = classifyFailures(verdicts, new Set(['known']), isNextRequired);
    return [violated, uncounted].map((each) => each.map(({ id }) => id));
  };
  expect(idsOf(false)).toEqual([[], ['unscored']]);
  expect(idsOf(true)).toEqual([['unscored'], []]);
});

const [ONE, TWO] = ['I2-notified-twice-mobile-money', 'I3-answer-lost+notified-never-card-network-a'] as const;

it('an untried violation of the baseline, such as a skipped combination, does not count as fixed', () => {
  const verdicts = [caseVerdict('I3-answer-lost-card-network-a', 'handled')];
  expect(classifyFailures(verdicts, new Set([TWO]))).toEqual({ violated: [], uncounted: [], fixed: [] });
});

it('a baseline is read from a list, or from an earlier report', async () => {
  const report = { verdicts: [caseVerdict(ONE, 'violated'), caseVerdict(TWO, 'handled')] };
  expect(await readBaseline(write('report.json', report))).toEqual(new Set([ONE]));
  expect(await readBaseline(write('list.json', [ONE, TWO]))).toEqual(new Set([ONE, TWO]));
  expect(await readBaseline(write('marked.json', `\uFEFF[\r\n"${ONE}"\r\n]`))).toEqual(new Set([ONE]));
});

it.each([
  ['I2-notified-twyce-mobile-money', ', did you mean I2-notified-twice-mobile-money?'],
  ['I22-notified-twice-mobile-money', ', did you mean I2-notified-twice-mobile-money?'],
  ['I3-notified-never+answer-lost-card-network-a', ''],
  ['I2', ''],
])('a baseline with %s, which is not an id, is refused', async (id, near) => {
  await expect(readBaseline(write('wrong.json', [ONE, id]))).rejects.toThrow(
    new AdapterError(`${join(folder, 'wrong.json')} contains "${id}", which is not the id of any finding${near}`),
  );
});

it.each([
  ['not JSON', 'x'],
  ['a number', 7],
  ['null', null],
  ['a list of numbers', [1]],
  ['an object of another kind', { counts: {} }],
])('a baseline that is %s is refused', async (_what, content) => {
  await expect(readBaseline(write('bad.json', content))).rejects.toThrow(AdapterError);
});
