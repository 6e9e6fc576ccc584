import type { Difference } from '../../../src/base/schema/generated/recordings.ts';
import { Comparison } from '../../../src/recordings/drift/comparison.ts';
import { NoiseFilter } from '../../../src/recordings/drift/noise-filter.ts';
import { SHIPPED_NOISE_RULES, TOLERANCE } from '../../../src/recordings/drift/shipped-noise-rules.ts';
import { answeredCall } from './compared.ts';

/** The differences if the service gave these answers by channel, and the sandbox always the same one. */
function differencesOn(answers: Readonly<Record<string, object>>, sandbox: object): Difference[] {
  const comparison = new Comparison(new NoiseFilter({ rules: [...SHIPPED_NOISE_RULES], tolerance: TOLERANCE }), {
    recorded: 0,
    sandbox: 0,
  });
  for (const [index, [channel, answer]] of Object.entries(answers).entries()) {
    comparison.compareCall({
      operation: 'listBanks',
      channel,
      environment: 'production',
      recorded: { exchange: answeredCall(answer), file: 'a.jsonl', line: index + 2 },
      played: answeredCall(sandbox),
    });
  }
  return comparison.finish().differences;
}

const SANDBOX = { fee: 'none' };

test('the same difference on all channels is reported once', () => {
  expect(differencesOn({ a: { fee: 'some' }, b: { fee: 'some' } }, SANDBOX)).toEqual([
    expect.objectContaining({ kind: 'word', channel: null, count: 2, compared: 2 }),
  ]);
  expect(differencesOn({ a: { fee: 'some', more: 1 }, b: { fee: 'some', more: 2 } }, SANDBOX)).toEqual([
    expect.objectContaining({ kind: 'word', channel: null, count: 2 }),
    expect.objectContaining({ kind: 'missing-member', channel: null, count: 2 }),
  ]);
});

test('the same difference on several channels is reported once, with their number', () => {
  const tally = (answers: Readonly<Record<string, object>>) =>
    differencesOn(answers, SANDBOX).map(({ channel, count, compared }) => [channel, count, compared]);
  expect(tally({ a: { fee: 'some' }, b: { fee: 'some' }, c: SANDBOX })).toEqual([[null, 2, 3]]);
  expect(tally({ a: { ...SANDBOX, more: 1 }, b: { ...SANDBOX, more: 1 }, c: SANDBOX })).toEqual([[null, 2, 3]]);
  expect(tally({ a: { fee: 'some' }, b: SANDBOX })).toEqual([['a', 1, 1]]);
});

test('differences that vary from channel to channel are reported separately', () => {
  const differences = differencesOn({ a: { fee: 'some' }, b: { fee: 'much' } }, SANDBOX);
  expect(differences.map(({ channel }) => channel)).toEqual(['a', 'b']);
});

test('a missing member is counted among all answers that could have it', () => {
  const comparison = new Comparison(new NoiseFilter({ rules: [...SHIPPED_NOISE_RULES], tolerance: TOLERANCE }), {
    recorded: 0,
    sandbox: 0,
  });
  for (const answer of [SANDBOX, SANDBOX, SANDBOX, { ...SANDBOX, more: 1 }]) {
    const recorded = { exchange: answeredCall(answer), file: 'a.jsonl', line: 2 };
    comparison.compareCall({
      operation: 'listBanks',
      channel: null,
      environment: null,
      recorded,
      played: answeredCall(SANDBOX),
    });
  }
  expect(comparison.finish().differences).toMatchObject([
    { kind: 'missing-member', place: '$.more', count: 1, compared: 4 },
  ]);
});
