import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NoiseRule } from '../../../src/base/schema/generated/recordings.ts';
import { validate } from '../../../src/base/schema/validation.ts';
import { readNoiseRules } from '../../../src/recordings/drift/noise-filter.ts';
import { SHIPPED_NOISE_RULES, TOLERANCE } from '../../../src/recordings/drift/shipped-noise-rules.ts';
import { answeredCall, compareSides, linesOf } from './compared.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'noise-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(rules: object): string {
  const file = join(folder, 'noise.json');
  writeFileSync(file, JSON.stringify(rules));
  return file;
}

const OWN: NoiseRule = { name: 'own', why: 'Ours.', ignores: 'everything', members: ['extra'] };

test('the shipped rules fit their schema, and have unique names', async () => {
  expect(await validate('recordings/noise-rules', { rules: SHIPPED_NOISE_RULES })).toEqual([]);
  expect(new Set(SHIPPED_NOISE_RULES.map(({ name }) => name)).size).toBe(SHIPPED_NOISE_RULES.length);
});

test('a file in the folder adds rules, and switches shipped ones off', async () => {
  expect(await readNoiseRules(folder, undefined)).toEqual({ rules: SHIPPED_NOISE_RULES, tolerance: TOLERANCE });
  write({ off: ['tokens'], rules: [OWN, { ...OWN, name: 'ids' }] });
  const { rules } = await readNoiseRules(folder, undefined);
  const names = rules.map(({ name }) => name);
  expect(names.slice(0, 2)).toEqual(['own', 'ids']);
  expect(names).toHaveLength(SHIPPED_NOISE_RULES.length);
  expect(names).not.toContain('tokens');
});

test.each([
  ['an unknown rule', { off: ['token'] }, /no noise rule token, did you mean tokens\?/],
  [
    'a rule that ignores everything everywhere',
    { rules: [{ name: 'a', why: 'b', ignores: 'everything' }] },
    /: \$\.rules\[0\]: expected a rule that says what it applies to: operations, members, headers or formats, received an object$/,
  ],
  ['an unknown member of a rule', { rules: [{ ...OWN, kinds: ['word'] }] }, /kinds/],
])('%s is refused', async (_, rules, message) => {
  const file = write(rules);
  await expect(readNoiseRules(folder, file)).rejects.toThrow(message);
});

test('a rule with members and headers ignores differences in either of them', () => {
  const rules: NoiseRule[] = [{ ...OWN, headers: ['x-one'] }];
  const side = (extra: string, value: string) => {
    const headers = ['x-one', 'x-two'].map((name) => ({ name, value }));
    const { answer, ...call } = answeredCall({ extra });
    return { calls: [{ ...call, answer: answer && { ...answer, headers } }] };
  };
  const compared = compareSides(side('x', '1'), side('y', '2'), rules);
  expect(compared.noise).toEqual([{ name: 'own', why: 'Ours.', count: 2 }]);
  expect(linesOf(compared)).toHaveLength(1);
});

test('the differences that a rule ignores are counted, and a different type is not ignored', () => {
  const side = (json: object) => ({ calls: [answeredCall(json)] });
  const rules = [OWN];
  const compared = compareSides(side({ extra: 'x' }), side({}), rules);
  expect(linesOf(compared)).toEqual([]);
  expect(compared.noise).toEqual([{ name: 'own', why: 'Ours.', count: 1 }]);
  expect(linesOf(compareSides(side({ extra: 'x' }), side({ extra: 1 }), rules))).toEqual(['type $.extra: ["x"] | [1]']);
});
