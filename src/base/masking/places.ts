import { CHARACTERS_OF_A_STEP, type Steps } from '../steps.ts';

/** What a name says of its value; `proof` is made from other values, such as a signature, from which they could be guessed. */
export type NamedKind = 'secret' | 'personal' | 'proof';
export type Kind = NamedKind | 'card' | 'email';

/** A part of a text that is to be masked. */
export interface FoundPlace {
  from: number;
  to: number;
  kind: Kind;
  /** The name that it was found by. */
  name?: string | undefined;
  /** How it is written, where that differs from the text around it. */
  spelling?: Spelling | undefined;
}

export type AddPlace = (place: FoundPlace) => void;

/** A way of writing characters. */
export interface Spelling {
  read(text: string): string;
  write(text: string): string;
}

/** A part of a text, and what replaces it. */
export interface Replacement {
  from: number;
  to: number;
  standIn: string;
  /** Whether it is written otherwise than it reads. */
  isSpelled: boolean;
}

/**
 * A text with parts of it replaced. A part within another one is dropped, and two that overlap become one. Where the same is found as
 * it is written and as it reads, the latter counts only if it differs.
 */
export function* replaceParts(
  text: string,
  parts: readonly Replacement[],
  standInFor: (part: string) => string,
): Steps<string> {
  const sorted = inOrder(parts) ? parts : parts.toSorted(compare);
  let replaced = '';
  let copied = 0;
  let stepEnd = CHARACTERS_OF_A_STEP;
  for (let index = 0; index < sorted.length; index += 1) {
    const part = sorted[index];
    if (!part) {
      continue;
    }
    let { to, standIn } = part;
    for (let next = sorted[index + 1]; next && next.from < to; next = sorted[index + 1]) {
      if (next.to > to) {
        to = next.to;
        standIn = standInFor(text.slice(part.from, to));
      }
      index += 1;
    }
    replaced += text.slice(copied, part.from) + standIn;
    copied = to;
    if (copied > stepEnd) {
      stepEnd = copied + CHARACTERS_OF_A_STEP;
      yield;
    }
  }
  return replaced + text.slice(copied);
}

function compare(one: Replacement, other: Replacement): number {
  return one.from - other.from || other.to - one.to || Number(other.isSpelled) - Number(one.isSpelled);
}

/** Most places are found in their order, and sorting many takes long. */
function inOrder(parts: readonly Replacement[]): boolean {
  let last = -1;
  for (const { from } of parts) {
    if (from <= last) {
      return false;
    }
    last = from;
  }
  return true;
}
