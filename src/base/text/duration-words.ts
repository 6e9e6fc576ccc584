import { addDuration } from '../time.ts';
import { lengthInWords } from './words.ts';

/** A duration of a fixture as people say it: `PT3S` → 3 s. One with months or years stays as it is, because they have no fixed length. */
export function durationInWords(duration: string): string {
  const milliseconds = addDuration(0, duration);
  const words = milliseconds % 1000 === 0 ? lengthInWords(milliseconds, 4) : `${milliseconds} ms`;
  return /^P[^T]*[MY]/.test(duration) ? duration : words;
}
