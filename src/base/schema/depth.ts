/** Whether a JSON value has more levels of nesting. What walks it by recursion is safe where it has not. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    (levels === 0 || Object.values(value).some((each) => isDeeperThan(levels - 1, each)))
  );
}
