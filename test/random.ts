/** Returns a whole number from 0 up to, not including, `below`. */
export type Random = (below: number) => number;

/** The same "random" numbers for the same seed. */
export function randomFrom(seed: number): Random {
  let value = seed;
  return (below) => {
    value = (Math.imul(value, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((value / 2 ** 32) * below);
  };
}
