/** A word in lower case, with the lower-case type, which the language's own function does not have. */
export function lowerCase<Word extends string>(word: Word): Lowercase<Word> {
  return word.toLowerCase() as Lowercase<Word>;
}
