/** A word of a closed list in lower case, which the compiler then knows as well. */
export function lowerCase<Word extends string>(word: Word): Lowercase<Word> {
  return word.toLowerCase() as Lowercase<Word>;
}
