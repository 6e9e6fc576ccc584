import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AdapterError } from '../../src/examine/adapter.ts';
import { failuresOf, readBaseline } from '../../src/examine/baseline.ts';
import type { Found } from '../../src/examine/findings.ts';
import type { Verdict } from '../../src/examine/verdicts.ts';
import { temporaryFolders } from '../temporary-folder.ts';

const folder = temporaryFolders()();
const found = (id: string, verdict: Verdict, isScored = true): Found => ({
  id,
  verdict,
  isScored,
  invariant: 'I2',
  situation: 'notified-twice',
  channel: 'mobile-money',
  history: [],
  bundle: null,
  test: null,
});

function written(name: string, content: unknown): string {
  const file = join(folder, name);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

it('counts what is violated, required and not known, and what is known and mended', () => {
  const verdicts = [
    found('new', 'violated'),
    found('known', 'violated'),
    found('unscored', 'violated', false),
    found('mended', 'handled'),
    found('mended-by-the-job', 'handled-after-reconcile'),
    found('untold', 'inconclusive'),
  ];
  const { violated, mended } = failuresOf(
    { verdicts },
    new Set(['known', 'mended', 'mended-by-the-job', 'untold', 'gone']),
  );
  expect(violated.map(({ id }) => id)).toEqual(['new']);
  expect(mended).toEqual(['mended', 'mended-by-the-job']);
});

it('is read from a list, or from a report of before', () => {
  const report = { verdicts: [found('one', 'violated'), found('two', 'handled')] };
  expect(readBaseline(written('report.json', report))).toEqual(new Set(['one']));
  expect(readBaseline(written('list.json', ['one', 'two']))).toEqual(new Set(['one', 'two']));
});

it.each([
  ['no JSON', 'x'],
  ['a number', 7],
  ['null', null],
  ['a list of numbers', [1]],
  ['an object of another kind', { counts: {} }],
])('is refused where it is %s', (_what, content) => {
  expect(() => readBaseline(written('bad.json', content))).toThrow(AdapterError);
});
