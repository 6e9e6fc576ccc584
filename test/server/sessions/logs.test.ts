import { EventLog } from '../../../src/server/sessions/event-log.ts';
import { RequestLog } from '../../../src/server/sessions/request-log.ts';
import { SharedMemory } from '../../../src/server/sessions/shared-memory.ts';
import { loggedCall } from './logged-call.ts';

const eventOf = (id: number) => {
  return { id, at: 0, type: 'payment.paid' as const, collection: null, subjectId: null, requestId: null, data: {} };
};
const eventsOf = (count: number) => Array.from({ length: count }, (_, index) => eventOf(index + 1));

const unexpected = (error: unknown) => {
  throw error;
};

describe('the event log', () => {
  it('returns the events after a given one, oldest first', () => {
    const log = new EventLog(unexpected);
    log.publish(eventsOf(3));
    expect(log.since(0).map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(log.since(2).map(({ id }) => id)).toEqual([3]);
  });

  it('contains at least the last thousand and at most two thousand events', () => {
    const log = new EventLog(unexpected);
    log.publish(eventsOf(2000));
    expect(log.since(0)).toHaveLength(2000);
    log.publish([eventOf(2001)]);
    expect(log.since(0)).toHaveLength(1000);
    expect(log.since(0)[0]?.id).toBe(1002);
  });

  it('calls each listener with each event in order, until it unsubscribes', () => {
    const log = new EventLog(unexpected);
    const notified: string[] = [];
    const stop = log.listen(({ id }) => notified.push(`one ${id}`));
    log.listen(({ id }) => notified.push(`two ${id}`));
    log.publish(eventsOf(2));
    stop();
    log.clear();
    expect(log.since(0)).toEqual([]);
    log.publish([eventOf(3)]);
    expect(notified).toEqual(['one 1', 'two 1', 'one 2', 'two 2', 'two 3']);
    expect(log.since(0).map(({ id }) => id)).toEqual([3]);
  });

  it('notifies each remaining listener of its end once, and of nothing later', () => {
    const log = new EventLog(unexpected);
    const notified: string[] = [];
    log.listen(
      () => notified.push('event'),
      () => notified.push('end'),
    );
    const stop = log.listen(
      () => notified.push('event'),
      () => notified.push('end after unsubscribing'),
    );
    stop();
    log.end();
    log.end();
    log.publish([eventOf(1)]);
    expect(notified).toEqual(['end']);
  });
});

describe('the request log', () => {
  it('numbers calls from one or a given number, and continues when calls were forgotten', () => {
    const log = new RequestLog(new SharedMemory(1e9));
    expect([log.nextId(), log.nextId()]).toEqual(['request-1', 'request-2']);
    log.add(loggedCall({ id: 'request-1' }));
    log.forget();
    expect([log.calls, log.nextId()]).toEqual([[], 'request-3']);
    log.count = 0;
    expect(log.nextId()).toBe('request-1');
  });

  it('returns the last calls up to its limit, and finds them by id', () => {
    const log = new RequestLog(new SharedMemory(1e9), 3);
    for (let number = 1; number <= 6; number += 1) {
      log.add(loggedCall({ id: `request-${number}` }));
    }
    expect(log.calls.map(({ id }) => id)).toEqual(['request-4', 'request-5', 'request-6']);
    expect(log.find('request-1')).toMatchObject({ id: 'request-1' });
    log.add(loggedCall({ id: 'request-7' }));
    expect(log.calls.map(({ id }) => id)).toEqual(['request-5', 'request-6', 'request-7']);
    expect([log.find('request-4')?.id, log.find('request-7')?.id]).toEqual([undefined, 'request-7']);
  });

  it('describes a call only when it is read', () => {
    const log = new RequestLog(new SharedMemory(1e9));
    const described: string[] = [];
    const add = (id: string) => log.add(loggedCall({ id, body: id }, (each) => described.push(each)));
    add('request-1');
    add('request-2');
    expect(described).toEqual([]);
    expect(log.find('request-1')?.body).toBe('request-1');
    const stop = log.listen(({ id }) => described.push(`notified ${id}`));
    add('request-3');
    stop();
    add('request-4');
    expect(described).toEqual(['request-1', 'notified request-3']);
  });

  it('notifies its listeners when it forgets its calls, and its numbers continue', () => {
    const log = new RequestLog(new SharedMemory(1e9));
    const notified: string[] = [];
    const listener = ({ id }: { id: string }) => notified.push(id);
    const stop = log.listen(listener, () => notified.push('forgotten'));
    log.add(loggedCall({ id: log.nextId() }));
    log.forget();
    expect(log.calls).toEqual([]);
    log.add(loggedCall({ id: log.nextId() }));
    stop();
    log.forget();
    expect(notified).toEqual(['request-1', 'forgotten', 'request-2']);
  });

  it('frees the memory of the calls that it drops', () => {
    const memory = new SharedMemory(1e9);
    const log = new RequestLog(memory, 2);
    const calls = [1, 2, 3, 4, 5].map((number) =>
      loggedCall({ id: `request-${number}`, body: 'x'.repeat(100 * number) }),
    );
    const dropped = calls.map((call) => log.add(call).map(({ id }) => id));
    expect(dropped).toEqual([[], [], [], [], ['request-1', 'request-2', 'request-3']]);
    expect(memory.usedBytes).toBe(calls.slice(3).reduce((sum, { bytes }) => sum + bytes, 0));
  });

  it('returns the calls about a record, oldest first, as far as it still has them', () => {
    const log = new RequestLog(new SharedMemory(1e9), 3);
    for (const [number, about] of ['one', 'two', 'one', 'two', 'one'].entries()) {
      log.add({ ...loggedCall({ id: `request-${number}` }), isAbout: ({ key }) => key === about });
    }
    const idsAbout = (key: string) => log.about({ key, merchantId: 'M-1000', names: [] }).map(({ id }) => id);
    expect([idsAbout('one'), idsAbout('two'), idsAbout('three')]).toEqual([
      ['request-2', 'request-4'],
      ['request-3'],
      [],
    ]);
  });

  it('contains a thousand calls by default', () => {
    const log = new RequestLog(new SharedMemory(1e9));
    for (let number = 1; number <= 1500; number += 1) {
      log.add(loggedCall({ id: `request-${number}` }));
    }
    expect(log.calls).toHaveLength(1000);
  });
});
