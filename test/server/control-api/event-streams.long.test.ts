import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import request from 'supertest';
import { validate } from '../../../src/base/schema/validation.ts';
import { endOfTurn } from '../../../src/base/timers.ts';
import { sendEvents } from '../../../src/server/control-api/send-events.ts';
import { cases } from '../../cases.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';
import { pay } from '../payer-pages/visits.ts';
import { loggedCall } from '../sessions/logged-call.ts';
import { sessionWith } from '../sessions/session-under-test.ts';

let sandbox: Sandbox;
let sessions = 0;

beforeAll(async () => {
  sandbox = await startSandbox({ now: Date.parse('2026-03-01T10:00:00.000Z') });
});
afterAll(() => sandbox.close());

function newSession() {
  sessions += 1;
  return sandbox.session(`streams-${sessions}`);
}
type Session = ReturnType<typeof newSession>;

interface StreamedEvent {
  id: string;
  type: string;
  subjectId: string | null;
}

/** Reads a stream until `isLast` accepts an event, and disconnects. */
async function readStream(
  { baseUrl }: Session,
  query: string,
  lastEventId: string | undefined,
  isLast: (event: StreamedEvent, count: number) => boolean,
): Promise<StreamedEvent[]> {
  const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
  const call = get(`${baseUrl}/_sandbox/events?${query}`, { headers, agent: false });
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  const all: StreamedEvent[] = [];
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) {
    const parts = `${text}${chunk}`.split('\n\n');
    text = parts.pop() ?? '';
    for (const part of parts.filter((each) => each.includes('data: '))) {
      const { type, subjectId } = JSON.parse(/^data: (.*)$/m.exec(part)?.[1] ?? '');
      all.push({ id: /^id: (.*)$/m.exec(part)?.[1] ?? '', type, subjectId });
      if (isLast(all.at(-1) as StreamedEvent, all.length)) {
        call.destroy();
        return all;
      }
    }
  }
  throw new Error(`the stream ended after ${JSON.stringify(all)}`);
}

const describeEvent = ({ type, subjectId }: StreamedEvent) => `${type} ${subjectId}`;

type Step = 'pay' | 'refused' | 'settle' | 'query';

/** Performs a step, and returns the items that a stream with calls should show for it. */
async function performStep(session: Session, step: Step, counts: { payments: number; calls: number; open: string[] }) {
  if (step === 'settle') {
    const payment = counts.open.shift();
    if (payment === undefined) {
      return [];
    }
    await session.settle(payment, 'Paid');
    return [`payment.paid ${payment}`];
  }
  counts.calls += 1;
  if (step === 'query') {
    await request(session.baseUrl).get('/api/fetchStatus');
    return [`request.answered request-${counts.calls}`];
  }
  await pay(session, step === 'pay' ? {} : { amount: 'nothing' });
  if (step === 'refused') {
    return [`request.answered request-${counts.calls}`];
  }
  counts.payments += 1;
  const payment = `payment-${counts.payments}`;
  counts.open.push(payment);
  return [`payment.created ${payment}`, `request.answered request-${counts.calls}`];
}

describe('a client of the event stream that disconnects and returns with the last id that it read', () => {
  const steps = fc.array(fc.constantFrom<Step>('pay', 'refused', 'settle', 'query'), { minLength: 1, maxLength: 12 });

  it.each([true, false])('receives each event and call once and in order (calls: %s)', async (calls) => {
    await fc.assert(
      fc.asyncProperty(
        steps,
        steps,
        fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 8 }),
        async (past, later, cuts) => {
          const session = newSession();
          const counts = { payments: 0, calls: 0, open: [] };
          const expected: string[] = [];
          const isShown = (each: string) => calls || !each.startsWith('request.');
          const play = async (step: Step) =>
            expected.push(...(await performStep(session, step, counts)).filter(isShown));
          await play('pay');
          for (const step of past) {
            await play(step);
          }
          const received: StreamedEvent[] = [];
          const remaining = [...later];
          const reads = [...cuts];
          while (received.length < expected.length || remaining.length > 0) {
            const maxCount = reads.shift() ?? 1000;
            const missingCount = expected.length - received.length;
            if (missingCount > 0) {
              const isLast = (_: StreamedEvent, count: number) => count === Math.min(maxCount, missingCount);
              received.push(...(await readStream(session, `since=0&calls=${calls}`, received.at(-1)?.id, isLast)));
            }
            const step = remaining.shift();
            if (step) {
              await play(step);
            }
          }
          expect(received.map(describeEvent)).toEqual(expected);
        },
      ),
      { numRuns: cases(6) },
    );
  });
});

it('a client can read all past calls, even if their data is large', async () => {
  const session = newSession();
  const calls = 900;
  for (let number = 1; number <= calls; number += 1) {
    // A refused call is logged with its finding, so each takes some kilobytes.
    await fetch(`${session.baseUrl}/init/authenticate/merchant/wallet`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ payerReference: `ORDER-${number}`, paymentDescription: 'd'.repeat(500) }),
    });
  }
  const received = await readStream(session, 'since=0&calls=true', undefined, (_, count) => count === calls);
  expect(received.map(({ subjectId }) => subjectId)).toEqual(
    Array.from({ length: calls }, (_, index) => `request-${index + 1}`),
  );
  const ids: string[] = [];
  for await (const { subjectId } of session.events(0, { calls: true })) {
    if (ids.push(String(subjectId)) === calls) {
      break;
    }
  }
  expect(ids).toEqual(received.map(({ subjectId }) => subjectId));
});

it('a client that is too slow receives the number of dropped items', async () => {
  const { session } = await sessionWith();
  const server = createServer((_request, response) => sendEvents(session, { after: 0, firstCall: 0 }, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const call = get({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, agent: false });
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  response.pause();
  // Much more than the buffers of a connection can contain if the client does not read.
  const count = 6000;
  const facts = { at: 0, type: 'payment.paid' as const, collection: null, subjectId: null, requestId: null };
  for (let id = 1; id <= count; id += 1) {
    session.events.publish([{ ...facts, id, data: { text: 'x'.repeat(10_000) } }]);
    session.requests.add(
      loggedCall({ id: `request-${id}`, at: 0, lastEvent: id, events: [], records: [], findings: [] }),
    );
    if (id % 100 === 0) {
      await endOfTurn();
    }
  }
  const received = { events: 0, calls: 0 };
  const missed = { events: 0, calls: 0 };
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) {
    const parts = `${text}${chunk}`.split('\n\n');
    text = parts.pop() ?? '';
    for (const part of parts.filter((each) => each.includes('data: '))) {
      const view = JSON.parse(/^data: (.*)$/m.exec(part)?.[1] ?? '');
      expect(await validate('control/event', view)).toEqual([]);
      if (view.type === 'missed') {
        missed.events += view.data.events ?? 0;
        missed.calls += view.data.calls ?? 0;
      } else {
        received[view.type === 'payment.paid' ? 'events' : 'calls'] += 1;
      }
    }
    if (received.events + missed.events + received.calls + missed.calls === 2 * count) {
      break;
    }
  }
  call.destroy();
  server.close();
  expect([received.events + missed.events, received.calls + missed.calls]).toEqual([count, count]);
  expect(Math.min(received.events, missed.events, received.calls, missed.calls)).toBeGreaterThan(0);
});
