import fc from 'fast-check';
import request from 'supertest';
import { estimateBytes } from '../../../src/base/estimate-bytes.ts';
import { type LoggedCall, RequestLog } from '../../../src/server/sessions/request-log.ts';
import { SharedMemory } from '../../../src/server/sessions/shared-memory.ts';
import { cases } from '../../cases.ts';
import { single } from '../../interface/calls.ts';
import { startSandbox } from '../../sandbox.ts';
import { loggedCall } from './logged-call.ts';

describe('request logs with a shared limit', () => {
  const step = fc.oneof(
    { weight: 9, arbitrary: fc.record({ log: fc.nat({ max: 2 }), size: fc.nat({ max: 300 }) }) },
    { weight: 1, arbitrary: fc.record({ log: fc.nat({ max: 2 }), size: fc.constant('clear' as const) }) },
  );

  it('never exceed the limit, and drop the oldest calls of the log that was idle longest', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 300, size: 'max' }),
        fc.integer({ min: 300, max: 5000 }),
        (steps, limit) => {
          const memory = new SharedMemory(limit);
          const logs = [0, 1, 2].map(() => new RequestLog(memory, 20));
          /** Ordered by the last addition: the log that has been idle longest is first. */
          const model = new Map<number, LoggedCall[]>();
          const totalBytes = () => [...model.values()].flat().reduce((sum, { bytes }) => sum + bytes, 0);
          steps.forEach(({ log, size }, at) => {
            const calls = model.get(log) ?? [];
            model.delete(log);
            if (size === 'clear') {
              logs[log]?.forget();
              return;
            }
            const call = loggedCall({ id: `request-${at}`, body: 'x'.repeat(size) });
            logs[log]?.add(call);
            model.set(log, [...calls, call].slice(calls.length === 40 ? -20 : 0));
            for (const idle of model.values()) {
              while (idle.length > 0 && totalBytes() > limit) {
                idle.shift();
              }
            }
            expect(memory.usedBytes).toBe(totalBytes());
          });
          logs.forEach((log, at) => {
            const expected = (model.get(at) ?? []).map(({ id }) => id);
            expect(log.calls.map(({ id }) => id)).toEqual(expected.slice(-20));
          });
        },
      ),
      { numRuns: cases(100) },
    );
  });
});

it('the estimated bytes of a value are at least a sixth of the length of its JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(estimateBytes(value)).toBeGreaterThanOrEqual(JSON.stringify(value).length / 6);
    }),
    { numRuns: cases(100) },
  );
});

it('the requests of all sessions fit in --request-log-size', async () => {
  const sandbox = await startSandbox({ requestLogSize: 1 });
  try {
    const body = single({ paymentDescription: 'x'.repeat(60_000) });
    for (let call = 1; call <= 40; call += 1) {
      await request(sandbox.sessionUrl(`s${call % 3}`))
        .post('/init/authenticate/merchant/wallet')
        .send(body);
    }
    const logs = await Promise.all(
      ['s0', 's1', 's2'].map((name) => request(sandbox.sessionUrl(name)).get('/_sandbox/requests?limit=200')),
    );
    const count = logs.reduce((sum, answer) => sum + answer.body.items.length, 0);
    expect(count).toBeGreaterThan(0);
    expect(count * 120_000).toBeLessThan(1024 * 1024);
  } finally {
    await sandbox.close();
  }
});
