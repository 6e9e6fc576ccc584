import type { Steps } from '../steps.ts';

/** Whether a JSON value has more levels of nesting. What walks it by recursion is safe where it has not. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    (levels === 0 || Object.values(value).some((each) => isDeeperThan(levels - 1, each)))
  );
}

/** The same in steps, one for each item of a list at the second level, as a whole state has them. */
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
