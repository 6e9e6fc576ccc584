import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { isMembers } from '../../../src/base/members.ts';
import { drift } from '../../../src/recordings/drift.ts';
import { temporaryFolders } from '../../temporary-folder.ts';
import { lineOf } from '../drift/compared.ts';
import { recordingOf } from '../player/tape.ts';
import { type ChannelId, type Exchange, exchangesWith, WALLETS } from './shop.ts';

const temporaryFolder = temporaryFolders();
const CHANNELS = Object.keys(WALLETS) as ChannelId[];

type Members = Record<string, unknown>;

/** What a service may do otherwise in the answer to an initiation. */
const CHANGE = fc.oneof(
  fc.nat(9).map((at) => ({ kind: 'drop' as const, at })),
  fc.record({
    kind: fc.constant('add' as const),
    name: fc.stringMatching(/^[a-z]{3,8}Extra$/),
    value: fc.oneof(
      fc.stringMatching(/^[A-Za-z{} .]{0,20}$/),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.constant({ nested: { list: [1, 'two'] } }),
    ),
  }),
  fc.nat(9).map((at) => ({ kind: 'other-emptiness' as const, at })),
  fc.record({
    kind: fc.constant('word' as const),
    name: fc.constantFrom('status', 'paymentTokenDescription', 'paymentResponseMessage'),
    word: fc.stringMatching(/^[A-Z][a-z]{2,9}$/),
  }),
  fc.array(fc.nat(99), { minLength: 10, maxLength: 10 }).map((ranks) => ({ kind: 'order' as const, ranks })),
);
type Change = typeof CHANGE extends fc.Arbitrary<infer Value> ? Value : never;

function changed(answer: Members, change: Change): Members {
  const entries = Object.entries(answer);
  switch (change.kind) {
    case 'drop':
      return Object.fromEntries(entries.filter((_, index) => index !== change.at));
    case 'add':
      return { ...answer, [change.name]: change.value };
    case 'other-emptiness':
      return Object.fromEntries(
        entries.map(([name, value], index) => [
          name,
          index === change.at ? (value === null ? '' : value === '' ? null : value) : value,
        ]),
      );
    case 'word':
      return { ...answer, [change.name]: change.word };
    case 'order':
      return Object.fromEntries(
        entries
          .map((entry, index) => ({ entry, rank: change.ranks[index] ?? 100 }))
          .sort((one, other) => one.rank - other.rank)
          .map(({ entry }) => entry),
      );
  }
}

/** The exchanges with other answers for payments on some channels, wherever an answer is told. */
function withChanges(exchanges: readonly Exchange[], changes: Partial<Record<ChannelId, Change[]>>): Exchange[] {
  return exchanges.map((exchange) => {
    const body = exchange.kind === 'call' && exchange.answer?.body && 'json' in exchange.answer.body;
    const json = body && exchange.answer?.body && 'json' in exchange.answer.body ? exchange.answer.body.json : null;
    const sent = JSON.stringify(exchange.body);
    const channel = CHANNELS.find((id) => sent.includes(`"${WALLETS[id]}"`));
    if (
      !isMembers(json) ||
      !isMembers(json['paymentInitiationResponse']) ||
      channel === undefined ||
      !exchange.answer
    ) {
      return exchange;
    }
    const answer = (changes[channel] ?? []).reduce<Members>(changed, json['paymentInitiationResponse']);
    return {
      ...exchange,
      answer: { ...exchange.answer, body: { json: { ...json, paymentInitiationResponse: answer } } },
    };
  });
}

/** Compares, applies what is proposed, and compares again. */
async function adopt(exchanges: readonly Exchange[]) {
  const folder = temporaryFolder();
  await recordingOf(folder, exchanges);
  const fixtures = join(temporaryFolder(), 'mine');
  const before = await drift({ folder, fixtures, scenario: 'auto-approve', apply: true });
  const after = await drift({ folder, ...(before.proposal ? { fixtures } : { scenario: 'auto-approve' }) });
  return { before, after };
}

test('answers of any shape are adopted', async () => {
  const exchanges = await exchangesWith(temporaryFolder);
  const some = fc.dictionary(fc.constantFrom(...CHANNELS), fc.array(CHANGE, { minLength: 1, maxLength: 4 }), {
    minKeys: 1,
    maxKeys: 3,
  });
  let adopted = 0;
  await fc.assert(
    fc.asyncProperty(some, async (changes) => {
      const { before, after } = await adopt(withChanges(exchanges, changes));
      adopted += before.differences.length;
      expect(before.differences.filter(({ fixture }) => fixture === null).map(lineOf)).toEqual([]);
      expect(after.differences.map(lineOf)).toEqual([]);
    }),
    { numRuns: 12, seed: 33 },
  );
  expect(adopted).toBeGreaterThan(20);
}, 600_000);

const SECONDS = fc.integer({ min: 1, max: 90 }).map((seconds) => `PT${seconds}S`);
const PROVIDER = fc.record({
  outcomes: fc.array(fc.constantFrom('Paid', 'Failed', 'Cancelled'), { minLength: 5, maxLength: 5 }),
  after: fc.array(SECONDS, { minLength: 5, maxLength: 5 }),
  method: fc.constantFrom('POST', 'PUT'),
  proof: fc.constantFrom('standard-webhooks', 'none'),
  retries: fc.array(SECONDS, { maxLength: 3 }),
});

test('times, outcomes, retries, methods and missing signatures are adopted', async () => {
  let adopted = 0;
  await fc.assert(
    fc.asyncProperty(PROVIDER, async ({ outcomes, after, method, proof, retries }) => {
      const theirs = temporaryFolder();
      const write = (kind: string, content: object) => {
        mkdirSync(join(theirs, kind));
        writeFileSync(join(theirs, kind, 'theirs.json'), JSON.stringify({ name: 'theirs', ...content }));
      };
      write('scenarios', {
        description: 'Each channel in its way.',
        rules: CHANNELS.map((channel, index) => ({
          when: { channel },
          settle: { outcome: outcomes[index], after: after[index] },
        })),
      });
      write('behaviours', {
        description: 'Theirs.',
        source: 'the test',
        date: '2026-03-01',
        notifications: { method, proof, retries: retries.map((each) => ({ times: 1, after: each })) },
      });
      const exchanges = await exchangesWith(temporaryFolder, {
        fixtures: theirs,
        scenario: 'theirs',
        behaviour: 'theirs',
      });
      const { before, after: again } = await adopt(exchanges);
      adopted += before.differences.length;
      expect(again.differences.map(lineOf)).toEqual([]);
      expect(before.differences.filter(({ fixture }) => fixture === null).map(lineOf)).toEqual([]);
    }),
    { numRuns: 8, seed: 33 },
  );
  expect(adopted).toBeGreaterThan(20);
}, 600_000);
