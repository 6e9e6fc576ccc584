import { createProgressDisplay, describeProgress } from '../../../src/examine/commands/progress.ts';

const { jest } = import.meta;

/** A stream that records the texts written to it. */
function fakeStream({ isTTY }: { isTTY: boolean }) {
  const texts: string[] = [];
  const write = (text: string | Uint8Array) => texts.push(String(text)) > 0;
  return { stream: { isTTY, columns: 40, write }, texts };
}

const progressAt = (now: string) => ({ now, done: 1, total: 4, violated: 0 });

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

it('the progress in a file has a line every ten seconds if something is new', () => {
  const { stream, texts } = fakeStream({ isTTY: false });
  const progress = createProgressDisplay(stream);
  progress.show(progressAt('one'));
  jest.advanceTimersByTime(30_000);
  progress.show(progressAt('two'));
  progress.show(progressAt('three'));
  jest.advanceTimersByTime(20_000);
  progress.say('it stops');
  progress.end();
  jest.advanceTimersByTime(20_000);
  expect(texts).toEqual(['1/4 one\n', '1/4 three\n', 'it stops\n']);
});

it('the progress in a terminal rewrites one line, and clears it at the end', () => {
  const { stream, texts } = fakeStream({ isTTY: true });
  const progress = createProgressDisplay(stream);
  progress.show(progressAt('one'));
  jest.advanceTimersByTime(30_000);
  progress.say('it stops');
  progress.end();
  expect(texts.join('')).toBe('\r\x1b[2K1/4 one\r\x1b[2Kit stops\n\r\x1b[2K');
});

it.each([
  [undefined, '1/4 one'],
  [4000, '1/4 one (about 10 s left)'],
  [83_000, '1/4 one (about 80 s left)'],
  [200_000, '1/4 one (about 3 min left)'],
])('the progress shows how long the rest takes: %s ms', (leftMs, words) => {
  expect(describeProgress({ ...progressAt('one'), leftMs })).toBe(words);
});
