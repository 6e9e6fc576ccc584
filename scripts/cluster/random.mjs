/**
 * The same choices for the same seed.
 *
 * @param {number} seed
 */
export function randomFrom(seed) {
  let value = seed >>> 0;
  const below = (limit) => {
    value = (Math.imul(value, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((value / 2 ** 32) * limit);
  };
  return {
    below,
    between: (least, most) => Math.floor(least + below(most - least)),
    oneOf: (choices) => choices[below(choices.length)],
  };
}
