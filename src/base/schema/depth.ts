import type { Steps } from '../steps.ts';

/** Whether a JSON value has more than `levels` levels of nesting. If not, recursion over it cannot overflow the stack. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    (levels === 0 || Object.values(value).some((each) => isDeeperThan(levels - 1, each)))
  );
}

/** Like `isDeeperThan`, in steps, one for each value at the second level, as a whole state has many. */
export function* isDeeperInSteps(levels: number, value: unknown, split = 2): Steps<boolean> {
  if (split === 0 || levels === 0 || typeof value !== 'object' || value === null) {
    return isDeeperThan(levels, value);
  }
  for (const each of Object.values(value)) {
    if (yield* isDeeperInSteps(levels - 1, each, split - 1)) {
      return true;
    }
    yield;
  }
  return false;
}
