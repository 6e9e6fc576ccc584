import { join } from 'node:path';
import fc from 'fast-check';
import { endOfTurn } from '../../../src/base/timers.ts';
import type { SessionEvent } from '../../../src/server/sessions/event-log.ts';
import { cases } from '../../cases.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';
import { temporaryFolders } from '../../temporary-folder.ts';
import { delivery } from '../store/samples.ts';
import { type Step, steps, takeStep } from './random-steps.ts';
import { deliveriesJob, sessionOnDelayedDisk } from './session-under-test.ts';

const NOW = Date.parse('2026-03-01T10:00:00.000Z');
const PUBLIC_URL = 'http://sandbox.example.test';
const newFolder = temporaryFolders();

/** Takes the steps in a session. Returns the bytes of every answer. */
async function takeSteps(sandbox: Sandbox, name: string, all: readonly Step[]): Promise<string[]> {
  const answers: string[] = [];
  for (const step of all) {
    answers.push(await takeStep(sandbox.session(name), step));
  }
  return answers.map((answer) => answer.replaceAll(`/s/${name}/`, '/s/NAME/'));
}

it('the same seed, frozen start and requests give the same bytes in two sessions at the same time', async () => {
  const sandbox = await startSandbox({ now: NOW, publicUrl: PUBLIC_URL, scenario: 'auto-approve' });
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      runs += 1;
      const names = [`one-${runs}`, `two-${runs}`] as const;
      const [one, two] = await Promise.all(names.map((name) => takeSteps(sandbox, name, all)));
      // The QR code is an image of an address, which contains the session's name.
      const withoutImage = (answers: string[] | undefined) =>
        answers?.map((answer) => answer.replace(/"paymentQrCode":"[^"]+"/, ''));
      expect(withoutImage(one)).toEqual(withoutImage(two));
    }),
    { numRuns: cases(12) },
  );
  await sandbox.close();
});

it('a sandbox gives the same answers after a restart as without one', async () => {
  await fc.assert(
    fc.asyncProperty(steps, steps, async (before, after) => {
      const settings = { now: NOW, publicUrl: PUBLIC_URL, scenario: 'auto-approve' };
      const uninterrupted = await startSandbox(settings);
      const expected = [
        ...(await takeSteps(uninterrupted, 'same', before)),
        ...(await takeSteps(uninterrupted, 'same', after)),
      ];
      await uninterrupted.close();
      const data = join(newFolder(), 'state.json');
      const first = await startSandbox({ ...settings, data });
      const answers = await takeSteps(first, 'same', before);
      await first.close();
      const second = await startSandbox({ ...settings, data });
      answers.push(...(await takeSteps(second, 'same', after)));
      await second.close();
      expect(answers).toEqual(expected);
    }),
    { numRuns: cases(5) },
  );
});

describe('moves of a frozen clock have the same answers and events', () => {
  /** Turns of the event loop that successive commits, attempts and calls take; each list repeats. */
  const anyDelays = fc.record({
    disk: fc.array(fc.nat(6), { minLength: 1, maxLength: 7 }),
    receiver: fc.array(fc.nat(12), { minLength: 1, maxLength: 7 }),
    caller: fc.array(fc.nat(12), { minLength: 1, maxLength: 5 }),
  });
  type Delays = typeof anyDelays extends fc.Arbitrary<infer One> ? One : never;
  /** Milliseconds until each delivery is due (up to 20: at once), and milliseconds by which the clock is then moved. */
  const anyRound = fc.record({ dues: fc.array(fc.nat(40), { minLength: 1, maxLength: 4 }), by: fc.nat(30) });
  type Round = typeof anyRound extends fc.Arbitrary<infer One> ? One : never;

  function delayedBy(turns: readonly number[]): () => Promise<void> {
    let count = 0;
    return async () => {
      const turnsToWait = turns[count % turns.length] ?? 0;
      count += 1;
      for (let turn = 0; turn < turnsToWait; turn += 1) {
        await endOfTurn();
      }
    };
  }

  async function play(rounds: readonly Round[], delays: Delays): Promise<unknown[]> {
    const [disk, receiver, caller] = [delayedBy(delays.disk), delayedBy(delays.receiver), delayedBy(delays.caller)];
    const job = deliveriesJob(async ({ id }) => {
      await receiver();
      return id;
    });
    const session = await sessionOnDelayedDisk(disk, job);
    const answers: unknown[] = [];
    for (const [number, { dues, by }] of rounds.entries()) {
      await session.transact(async (transaction) => {
        for (const [index, dueIn] of dues.entries()) {
          const id = `delivery-${number * 10 + index + 1}`;
          transaction.put('deliveries', delivery(id, transaction.now + (dueIn > 20 ? dueIn : 0)));
          transaction.emit('delivery.failed', 'deliveries', id);
        }
      });
      await caller();
      const { reading, happened } = await session.clockMover.advance(`PT${(by / 1000).toFixed(3)}S`);
      answers.push([reading, happened]);
      // Jobs that became due during the move have ended.
      expect(session.scheduler.load.running).toBe(0);
    }
    return [...answers, session.events.since(0)];
  }

  it('for any speed of disks, receivers and callers', async () => {
    const rounds = fc.array(anyRound, { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(rounds, anyDelays, anyDelays, async (all, one, other) => {
        expect(await play(all, one)).toEqual(await play(all, other));
      }),
      { numRuns: cases(100) },
    );
  });

  it('and an answer contains only the deliveries that became due during the move', async () => {
    const round = { dues: [0, 25, 0], by: 30 };
    const fast = { disk: [0], receiver: [0], caller: [40] };
    const slow = { disk: [9], receiver: [5, 1], caller: [0] };
    for (const delays of [fast, slow]) {
      const [answer, events] = (await play([round], delays)) as [[unknown, SessionEvent[]], SessionEvent[]];
      const delivered = (all: SessionEvent[]) =>
        all.flatMap((each) => (each.type === 'delivery.succeeded' ? each.subjectId : []));
      expect(delivered(answer[1])).toEqual(['delivery-2']);
      expect(delivered(events)).toEqual(['delivery-1', 'delivery-3', 'delivery-2']);
    }
  });
});

it('another seed gives other answers', async () => {
  const sandbox = await startSandbox({ now: NOW });
  const step: Step[] = [{ kind: 'pay', walletName: 'WALLET_CARD_A', cents: 100 }];
  await sandbox.client.createSession('other', { seed: 'other', now: new Date(NOW).toISOString() });
  expect(await takeSteps(sandbox, 'other', step)).not.toEqual(await takeSteps(sandbox, 'usual', step));
  await sandbox.close();
});
