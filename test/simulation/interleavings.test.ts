import fc from 'fast-check';
import type { Payment } from '../../src/base/schema/generated/records.ts';
import { decidePayment } from '../../src/server/domain/payments/payment.ts';
import { cases } from '../cases.ts';
import { payLink, setUp } from './commands.ts';
import { checkWorld, newModel } from './model.ts';
import { World } from './world.ts';

const OPEN_PAYMENTS = 3;

type Call =
  | { kind: 'settle'; which: number; to: 'Paid' | 'Failed' }
  | { kind: 'read' }
  | { kind: 'reset' }
  | { kind: 'delete' };

const call: fc.Arbitrary<Call> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('settle'),
      which: fc.nat(OPEN_PAYMENTS - 1),
      to: fc.constantFrom('Paid', 'Failed'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('read') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('reset', 'delete') }) },
) as fc.Arbitrary<Call>;

it('simultaneous calls pay a link at most once, and get true answers, in any order of their steps', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.array(call, { minLength: 2, maxLength: 8 }), async (scheduler, calls) => {
      const world = await World.create('in memory');
      const model = newModel();
      await setUp(world, model);
      for (let number = 0; number < OPEN_PAYMENTS; number += 1) {
        await payLink(world, model, number);
      }
      const { session } = world;
      const ids = [...model.payments.keys()];
      const step = () => scheduler.schedule(Promise.resolve());
      const answers: { id: string; state: Payment['state'] }[] = [];
      let hasEnded = false;
      const act = async (next: Call): Promise<void> => {
        await step();
        switch (next.kind) {
          case 'settle': {
            const { id, state } = await session.transact(async (transaction) => {
              const payment = await transaction.get('payments', ids[next.which] ?? '');
              await step();
              if (!payment) {
                throw new Error('gone');
              }
              return decidePayment(transaction, payment, { to: next.to, cause: 'control' });
            });
            answers.push({ id, state });
            break;
          }
          case 'read': {
            const states = await session.read(async (reader) => {
              const before = await reader.all('payments');
              await step();
              return before.map(({ state }) => state);
            });
            expect(states.filter((state) => state === 'Paid').length).toBeLessThanOrEqual(1);
            break;
          }
          case 'reset':
            hasEnded = true;
            await session.reset();
            break;
          default:
            hasEnded = true;
            session.end('deleted');
        }
      };
      const results = Promise.allSettled(calls.map(act));
      await scheduler.waitFor(results);
      for (const result of await results) {
        if (result.status === 'rejected' && !('kind' in result.reason)) {
          expect(result.reason).toEqual(new Error('gone'));
        }
      }
      if (!hasEnded) {
        for (const { id, state } of answers) {
          expect(await session.reader.get('payments', id)).toMatchObject({ state });
        }
        await world.waitUntilQuiet();
        await checkWorld(world, model);
      }
      await world.close();
    }),
    { numRuns: cases(150), seed: 1 },
  );
});
