import { CallLoad } from '../../../src/server/app/call-load.ts';

const { jest } = import.meta;
beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** The load after N calls at a fixed interval. */
function loadOf(calls: number, gapMs: number): CallLoad {
  const load = new CallLoad();
  for (let call = 0; call < calls; call += 1) {
    jest.advanceTimersByTime(gapMs);
    load.onCall();
  }
  return load;
}

it('the load is not high without calls', () => {
  expect(new CallLoad().isHigh).toBe(false);
});

it('the load is not high while one caller waits for each answer', () => {
  expect(loadOf(1000, 1).isHigh).toBe(false);
});

it('the load is high during many calls, but not 10 ms after them', () => {
  const load = loadOf(100, 0.5);
  expect(load.isHigh).toBe(true);
  jest.advanceTimersByTime(10);
  expect(load.isHigh).toBe(false);
});

it('the load is high from the sixteenth simultaneous call', () => {
  expect([loadOf(15, 0).isHigh, loadOf(16, 0).isHigh]).toEqual([false, true]);
});
