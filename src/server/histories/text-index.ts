/** Characters that a text begins with, by which it is looked up. */
const START = 4;

interface Group {
  /** Longest first. */
  lengths: number[];
  texts: Set<string>;
}

/** Finds many texts in another one. What that takes does not depend on how many they are. */
export class TextIndex {
  /** Whether any text begins with characters of that hash: at most places of a text none does. */
  readonly #hashes = new Uint8Array(0x1_0000);
  readonly #groups = new Map<string, Group>();

  /** Texts of less than four characters are left out. */
  add(text: string): void {
    if (text.length < START) {
      return;
    }
    this.#hashes[hashAt(text, 0)] = 1;
    const start = text.slice(0, START);
    const group = this.#groups.get(start) ?? { lengths: [], texts: new Set() };
    group.texts.add(text);
    if (!group.lengths.includes(text.length)) {
      group.lengths.push(text.length);
      group.lengths.sort((one, other) => other - one);
    }
    this.#groups.set(start, group);
  }

  /** The texts that are at a place, longest first. */
  allAt(text: string, at: number): string[] {
    const group = this.#hashes[hashAt(text, at)] ? this.#groups.get(text.slice(at, at + START)) : undefined;
    return group
      ? group.lengths.map((length) => text.slice(at, at + length)).filter((found) => group.texts.has(found))
      : [];
  }

  /** The first text from a place on, the longest where several begin there. */
  next(text: string, from: number): { found: string; index: number } | undefined {
    for (let index = from; index <= text.length - START; index += 1) {
      if (this.#hashes[hashAt(text, index)]) {
        const [found] = this.allAt(text, index);
        if (found !== undefined) {
          return { found, index };
        }
      }
    }
    return undefined;
  }
}

function hashAt(text: string, at: number): number {
  const first = text.charCodeAt(at) * 31 + text.charCodeAt(at + 1);
  return ((first * 31 + text.charCodeAt(at + 2)) * 31 + text.charCodeAt(at + 3)) & 0xffff;
}
