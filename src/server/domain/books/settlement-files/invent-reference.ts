/** Returns a pseudorandom number that depends only on the words. */
export type SeededRandom = (...words: string[]) => number;
/** Whether a text is the payerReference of a payment or payout, or the paymentId or paymentCode of a payment. */
export type ReferenceCheck = (text: string) => Promise<boolean>;

/** Minimum number of random characters, so that a later order hardly ever gets the same reference. */
const MIN_RANDOM_CHARACTERS = 9;
/** A long run of hexadecimal digits, as in the ids of payments; other characters, such as the name of a node, are not changed. */
const HEX_RUNS = /[0-9A-F]{16,}|[0-9a-f]{16,}/g;
const DIGIT_RUNS = /\d+/g;
const DIGITS = '0123456789';

/** A reference that has the form of `text`, and that is not known. */
export async function inventReference(text: string, random: SeededRandom, isKnown: ReferenceCheck): Promise<string> {
  for (let attempt = 0; ; attempt += 1) {
    const invented = randomizeDigits(text, (at) => random('character', String(attempt), String(at)));
    if (!(await isKnown(invented))) {
      return invented;
    }
  }
}

/** The text with its long hexadecimal runs randomized or, if it has none, its decimal digits, with more digits added if it has few. */
function randomizeDigits(text: string, numberAt: (at: number) => number): string {
  const hex = text.match(HEX_RUNS);
  if (hex) {
    return text.replace(HEX_RUNS, (run, start: number) => randomRun(run, run.length, (at) => numberAt(start + at)));
  }
  const runs = [...text.matchAll(DIGIT_RUNS)];
  const missing = Math.max(0, MIN_RANDOM_CHARACTERS - runs.reduce((sum, [run]) => sum + run.length, 0));
  const lastRun = runs.at(-1);
  if (!lastRun) {
    return text + randomRun('1', missing, (at) => numberAt(text.length + at));
  }
  return text.replace(DIGIT_RUNS, (run, start: number) =>
    randomRun(run, run.length + (start === lastRun.index ? missing : 0), (at) => numberAt(start + at)),
  );
}

/** `length` random characters of the same kind as a sample, with no leading 0 unless the sample has one. */
function randomRun(sample: string, length: number, numberAt: (at: number) => number): string {
  const letter = /[a-f]/i.exec(sample)?.[0];
  const alphabet = letter === undefined ? DIGITS : DIGITS + (letter < 'a' ? 'ABCDEF' : 'abcdef');
  return Array.from({ length }, (_, at) => {
    const choices = at === 0 && !sample.startsWith('0') ? alphabet.slice(1) : alphabet;
    return choices[numberAt(at) % choices.length];
  }).join('');
}
