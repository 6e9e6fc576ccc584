import fc from 'fast-check';
import request from 'supertest';
import { SeededIds } from '../../../src/base/seeded-ids.ts';
import { drawBehaviourFault, latencyAt } from '../../../src/server/merchant-api/fault.ts';
import { cases } from '../../cases.ts';
import { exampleOf } from '../../interface/examples.ts';
import { LONG_WAIT } from '../../long-wait.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';

const CALLS = 10_000;

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ now: Date.parse('2026-03-01T10:00:00.000Z') });
});
afterAll(() => sandbox.close());

function drawAll(calls: Parameters<typeof drawBehaviourFault>[0], channel?: string) {
  const ids = new SeededIds('a seed', 0);
  return Array.from({ length: CALLS }, () => drawBehaviourFault(calls, channel, () => ids.chance()));
}

describe('the random draws for calls', () => {
  it('contain timeouts at the rate of the behaviour, half of them before the operation', () => {
    const faults = drawAll({ timeouts: 0.1 }).flatMap(({ fault }) => fault ?? []);
    const before = faults.filter(({ at }) => at === 'before');
    expect(faults.every(({ kind }) => kind === 'timeout')).toBe(true);
    expect(faults.length / CALLS).toBeCloseTo(0.1, 1);
    expect(before.length / faults.length).toBeCloseTo(0.5, 1);
  });

  it('contain unknown codes at the rate of the behaviour, also together with a timeout', () => {
    const drawn = drawAll({ timeouts: 1, unknownCodes: { share: 0.2, code: 'X7' } });
    const coded = drawn.filter(({ code }) => code === 'X7');
    expect(coded.length / CALLS).toBeCloseTo(0.2, 1);
    expect(drawn.every(({ code }) => code === undefined || code === 'X7')).toBe(true);
  });

  it('have latencies by the percentiles of the first entry for the channel', () => {
    const latency: NonNullable<Parameters<typeof drawBehaviourFault>[0]['latency']> = [
      { channels: ['mobile-money'], percentiles: { '50': 'PT1S', '99': 'PT10S' } },
      { percentiles: { '50': 'PT0.2S', '95': 'PT1S', '100': 'PT3S' } },
    ];
    const sorted = (channel?: string) =>
      drawAll({ latency }, channel)
        .map(({ fault }) => (fault?.kind === 'latency' ? Number(fault.latency.slice(2, -1)) : Number.NaN))
        .toSorted((one, other) => one - other);
    const [ofMobileMoney, ofOthers, ofNoChannel] = [sorted('mobile-money'), sorted('qr-wallet'), sorted()];
    const shareWithin = (seconds: number, all: number[]) => all.filter((each) => each <= seconds).length / CALLS;
    expect(shareWithin(1, ofMobileMoney)).toBeCloseTo(0.5, 1);
    expect(ofMobileMoney.at(-1)).toBe(10);
    expect(shareWithin(0.2, ofOthers)).toBeCloseTo(0.5, 1);
    expect(shareWithin(1, ofOthers)).toBeCloseTo(0.95, 1);
    expect(ofOthers.at(-1)).toBeLessThanOrEqual(3);
    expect(ofNoChannel).toEqual(ofOthers);
  });

  it('have a latency that is never shorter for a higher percentage, nor longer than the last percentile', () => {
    const durations = fc.array(fc.integer({ min: 0, max: 60_000 }), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(
        durations,
        fc.double({ min: 0, max: 100, noNaN: true }),
        fc.double({ min: 0, max: 100, noNaN: true }),
        (unsorted, one, other) => {
          const sorted = unsorted.toSorted((a, b) => a - b);
          const percentiles = Object.fromEntries(
            sorted.map((milliseconds, index) => [String(10 * (index + 1)), `PT${milliseconds / 1000}S`]),
          );
          const [low, high] = [Math.min(one, other), Math.max(one, other)];
          expect(latencyAt(percentiles, low)).toBeLessThanOrEqual(latencyAt(percentiles, high) + 1e-6);
          expect(latencyAt(percentiles, high)).toBeLessThanOrEqual((sorted.at(-1) ?? 0) + 1e-6);
        },
      ),
      { numRuns: cases(100) },
    );
  });
});

function pay(baseUrl: string, payerReference: string) {
  return request(baseUrl)
    .post('/sandbox/init/authenticate/merchant/wallet')
    .send({ ...exampleOf('requests/single-payment'), payerReference });
}

describe('calls under a behaviour', () => {
  it('get the same codes in each run with the same seed, and their outcome names the behaviour', async () => {
    const runs = [];
    for (const name of ['run-1', 'run-2']) {
      const session = await sandbox.client.createSession(name, { behaviour: 'unknown-codes', seed: 'one seed' });
      const answers = [];
      for (let number = 1; number <= 60; number += 1) {
        answers.push(await pay(session.baseUrl, `ORDER-${number}`));
      }
      runs.push(answers.map(({ text }) => JSON.parse(text).paymentInitiationResponse.status));
      expect(answers.every(({ headers }) => headers['x-sandbox-outcome']?.includes('; behaviour unknown-codes'))).toBe(
        true,
      );
    }
    const [first = [], second] = runs;
    expect(first).toEqual(second);
    expect(new Set(first)).toEqual(new Set(['00', 'X7']));
  });

  it("wait for their latency by the session's clock", async () => {
    const session = await sandbox.client.createSession('slow', { behaviour: 'slow-calls' });
    const answer = pay(session.baseUrl, 'ORDER-1').then(({ status }) => status);
    await session.waitForEvent('payment.created', LONG_WAIT);
    await session.advance('PT10S');
    expect(await answer).toBe(200);
    const [call] = (await session.list<{ fault: string }>('requests')).items;
    expect(call?.fault).toMatch(/^latency after the call, latency \d+ m?s$/);
  });

  it('get the fault of a scenario in place of that of the behaviour', async () => {
    const session = await sandbox.client.createSession('ordered', { behaviour: 'slow-calls' });
    const rules = [{ fault: { at: 'before', kind: 'status', status: 503 } }];
    await session.defineScenario({ name: 'own', description: '', rules });
    await session.useScenario('own');
    expect((await pay(session.baseUrl, 'ORDER-1')).status).toBe(503);
  });
});
