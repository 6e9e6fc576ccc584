import { Playback, StepMissing } from '../../../src/server/histories/playback.ts';
import { NO_CALLS } from '../../../src/server/sessions/history-entry.ts';

const { jest: machine } = import.meta;
const playback = () => new Playback(NO_CALLS, { instant: 0, machine: 0 });
/** Lets everything that can go on do so. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a step', () => {
  it('waits until it is its turn, whichever came first', async () => {
    const steps = playback();
    const done: string[] = [];
    const take = (of: string) =>
      Promise.resolve(steps.turn('turn', of)).then(() => {
        done.push(of);
        steps.done('turn', of);
      });
    const taken = [take('request-1'), take('request-2'), take('request-1')];
    await settled();
    expect(done).toEqual([]);
    await steps.letGo('turn', 'request-2');
    expect(done).toEqual(['request-2']);
    await steps.letGo('turn', 'request-1');
    await steps.letGo('turn', 'request-1');
    await Promise.all(taken);
    expect(done).toEqual(['request-2', 'request-1', 'request-1']);
  });

  it('that is let go before it came has its turn when it comes', async () => {
    const steps = playback();
    const isLetGo = steps.letGo('sending', 'delivery-1');
    await settled();
    await steps.turn('sending', 'delivery-1');
    steps.done('sending', 'delivery-1');
    await isLetGo;
  });

  it('that does not come is missed, with those that wait instead', async () => {
    machine.useFakeTimers({ doNotFake: ['setImmediate', 'queueMicrotask', 'nextTick'] });
    const steps = playback();
    void steps.turn('turn', 'request-2');
    const missed = steps.letGo('turn', 'request-1').catch((error: unknown) => error);
    machine.runAllTimers();
    expect(await missed).toBeInstanceOf(StepMissing);
    expect(await missed).toMatchObject({ instead: ['turn request-2'] });
    machine.useRealTimers();
  });
});

describe('what a receiver answered', () => {
  it('reaches the job, whether that waits for it already or not', async () => {
    const steps = playback();
    const early = steps.outcomeOf('delivery-1');
    steps.giveOutcome('delivery-1', 'taken');
    steps.giveOutcome('delivery-2', 'refused');
    expect([await early, await steps.outcomeOf('delivery-2')]).toEqual(['taken', 'refused']);
  });
});

describe('the end', () => {
  it('lets all go that waits, and holds nothing back any more', async () => {
    const steps = playback();
    const waiting = [steps.turn('turn', 'request-1'), steps.turn('sending', 'delivery-1')];
    const outcome = steps.outcomeOf('delivery-2');
    steps.end({ isClosed: true });
    await Promise.all(waiting);
    expect(await outcome).toBeUndefined();
    expect(steps.turn('turn', 'request-2')).toBeUndefined();
    expect([steps.isOver, steps.isClosed]).toEqual([true, true]);
  });
});
