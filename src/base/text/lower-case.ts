/** A word in lower case, with the type Lowercase instead of the string type of `toLowerCase`. */
export function lowerCase<Word extends string>(word: Word): Lowercase<Word> {
  return word.toLowerCase() as Lowercase<Word>;
}
