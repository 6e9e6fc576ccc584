import { compareHistories, sidesOf } from '../../../src/base/compare-histories.ts';
import { SandboxClient } from '../../../src/client/client.ts';
import { endpointsIn, Histories } from '../../../src/server/app/histories.ts';
import { openSandbox } from '../../../src/server/app/open-sandbox.ts';
import { resolveSettings } from '../../../src/server/config/resolve-settings.ts';
import { pauseDeliveries } from '../../../src/server/domain/webhooks/queue.ts';
import type { Session } from '../../../src/server/sessions/session.ts';
import type { SessionSnapshot } from '../../../src/server/store/store.ts';
import { startReceiver } from '../domain/webhooks/receiver.ts';
import { RandomShop } from './random-shop.ts';
import { type SessionMoment, SessionObserver } from './session-observer.ts';

const NOW = Date.parse('2026-03-01T10:00:00Z');

/** A sandbox in this process, whose sessions can be read without a call. */
export async function startObservedSandbox() {
  const settings = Object.freeze({ ...resolveSettings({}), port: 0, data: ':memory:', quiet: true, maxSessions: 5000 });
  const { sandbox, sessions } = await openSandbox(settings);
  const histories = new Histories({ settings, fixtures: () => sandbox.fixtures, sessions });
  const receiver = await startReceiver((call, response) => {
    response.statusCode = call % 3 === 0 ? 500 : 200;
    response.end('received');
  });
  return {
    sessions,
    histories,
    receiver,
    clientOf: ({ name }: Session) => new SandboxClient({ url: sandbox.url, session: name }),
    async close() {
      await sandbox.close();
      await receiver.close();
    },
  };
}

export type ObservedSandbox = Awaited<ReturnType<typeof startObservedSandbox>>;

/** Performs random actions in a session, and expects a fork at each step to equal the session at that step. */
export async function expectForksOfSteps(observed: ObservedSandbox, seed: number, actions: number): Promise<void> {
  const { sessions, histories, receiver, clientOf } = observed;
  const session = await sessions.create(`shop-${seed}`, seed % 4 === 0 ? {} : { now: NOW });
  const observer = new SessionObserver(session);
  const client = clientOf(session);
  await client.setEndpoints([{ url: receiver.url }]);
  await new RandomShop(client, seed).run(actions, 1 + (seed % 3));
  const steps = await observer.moments();
  expect(steps.size).toBeGreaterThan(actions / 2);
  for (const [step, moment] of steps) {
    const as = `fork-of-${seed}`;
    const fork = await histories.fork(session, step, as);
    // A running clock advances between a step and its observation, so the fork begins at another time.
    const now = session.clock.isFrozen ? moment.now : fork.clock.now();
    const expected = await expectedOf(fork, { ...moment, now });
    expect({ step, ...(await contentOf(fork)) }).toEqual({ step, ...expected });
    await sessions.delete(as);
  }
  await sessions.delete(session.name);
}

/** The expected content of a fork: that of the session, with a frozen clock and paused deliveries. */
async function expectedOf(
  { fixtures }: Session,
  { snapshot: { state, ...lists }, now, calls }: SessionMoment,
): Promise<object> {
  const frozen = { ...lists, state: { ...state, clock: { mode: 'frozen' as const, now } } };
  return toComparable(pauseDeliveries(frozen, await endpointsIn(frozen, fixtures, undefined)), calls, 0);
}

async function contentOf(fork: Session): Promise<object> {
  return toComparable(await fork.snapshot(), fork.history.calls, 1);
}

/** `ownEvents`: the number of events that only the fork has, such as its creation. */
function toComparable({ state, ...lists }: SessionSnapshot, calls: object, ownEvents: number): object {
  const { generation: _, forkedFrom: __, counters, ...facts } = state;
  const { event = 0, ...others } = counters;
  const filled = Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0));
  return { facts, counters: others, events: event - ownEvents, calls, lists: filled };
}

/** Expects forks that repeat their parent's calls to get the same answers, and to have the same content in the end. */
export async function expectSameRepeats(observed: ObservedSandbox, seed: number, actions: number): Promise<void> {
  const { sessions, histories, clientOf } = observed;
  const session = await sessions.create(`parent-${seed}`, { now: NOW });
  const shop = new RandomShop(clientOf(session), seed);
  const forks: { fork: Session; repeat: RandomShop; remaining: number }[] = [];
  for (let remaining = actions; remaining > 0; remaining -= 1) {
    await shop.run(1);
    const fork = await histories.fork(session, undefined, `repeat-${seed}-${remaining}`);
    forks.push({ fork, repeat: shop.copyFor(clientOf(fork)), remaining: remaining - 1 });
  }
  for (const { fork, repeat, remaining } of forks) {
    await repeat.run(remaining);
    const names = { one: session.name, other: fork.name };
    const { first } = await compareHistories(
      async (name, after) => histories.historyOf(sessions.open(name), after),
      names,
    );
    expect(first && { ...first.difference, ...sidesOf(first.difference, 500) }).toBeUndefined();
    expect(await comparableContentOf(fork)).toEqual(await comparableContentOf(session));
    await sessions.delete(fork.name);
  }
  await sessions.delete(session.name);
}

/** Parts that depend on the session's name, the machine's clock or chance, and so differ between runs. */
const VARYING_PARTS =
  /eyJ[\w.-]+|iVBOR[\w+/=]*|(?<="(?:formId|webhook-?(?:id|Id|signature|timestamp))":")[^"]*|(?<="ms":)\d+/g;

/** A session's content without its name and without parts that differ between runs. */
async function comparableContentOf(session: Session): Promise<object> {
  const { state, ...lists } = await session.snapshot();
  const { generation: _, forkedFrom: __, counters, ...facts } = state;
  const text = JSON.stringify({ facts, counters: { ...counters, event: 0 }, lists });
  return JSON.parse(text.replaceAll(`/s/${session.name}`, '').replaceAll(VARYING_PARTS, '0'));
}
