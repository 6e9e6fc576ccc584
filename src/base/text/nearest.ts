/** Maximum number of compared characters, so that a long input costs little. */
const MAX_COMPARED_LENGTH = 100;

/** The word that a misspelled word most likely means; undefined if none is similar. */
export function nearestWord(word: string, words: Iterable<string>): string | undefined {
  let best: { word: string; distance: number } | undefined;
  for (const each of words) {
    // Comparing costs the product of both lengths, and most words are excluded by the difference of lengths.
    const isNear = isTypo(Math.abs(word.length - each.length), each);
    const distance = isNear ? editDistance(word, each) : Number.POSITIVE_INFINITY;
    if (isTypo(distance, each) && distance < (best?.distance ?? Number.POSITIVE_INFINITY)) {
      best = { word: each, distance };
    }
  }
  return best?.word;
}

/** Whether this edit distance is small enough for a typing error. */
export function isTypo(distance: number, word: string): boolean {
  return distance <= Math.max(1, Math.floor(word.length / 4));
}

/** ", did you mean this?", or an empty text if no word is similar. */
export function didYouMean(word: string, words: Iterable<string>, prefix = ''): string {
  const near = nearestWord(word, words);
  return near === undefined ? '' : `, did you mean ${prefix}${near}?`;
}

/** ", did you mean this?", or the list of all words if none is similar. Not both, because a long list would hide the guess. */
export function guessOrList(word: string, words: readonly string[], label = 'there are'): string {
  return didYouMean(word, words) || `; ${label} ${words.join(', ')}`;
}

/**
 * The number of characters that are missing, too many, wrong or swapped with their neighbour (optimal string alignment),
 * regardless of case.
 */
export function editDistance(a: string, b: string): number {
  const [from, to] = [a.slice(0, MAX_COMPARED_LENGTH).toLowerCase(), b.slice(0, MAX_COMPARED_LENGTH).toLowerCase()];
  let twoBefore: number[] = [];
  let before = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const change = at(before, column - 1) + (from[row - 1] === to[column - 1] ? 0 : 1);
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const swap = isSwapped ? at(twoBefore, column - 2) + 1 : change;
      current.push(Math.min(change, swap, at(before, column) + 1, at(current, column - 1) + 1));
    }
    twoBefore = before;
    before = current;
  }
  return at(before, to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
