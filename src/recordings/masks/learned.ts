import { coreOf } from './stand-ins.ts';

/** A part of a text that is replaced, and by what. */
export interface Place {
  from: number;
  to: number;
  standIn: string;
}

interface LearnedValue {
  value: string;
  standIn: string;
  /** What the value has before its first letter or digit, and behind its last one. */
  before: string;
  after: string;
}

/** Values in each of the two generations. */
const MOST_VALUES = 10_000;
/** Shorter values, and those of digits alone, may be a part of any text. */
const SHORTEST = 4;
const SHORTEST_DIGITS = 6;
const LONGEST = 1024;
/** Values of the exchange at hand that are also found where they are no words of their own, and how long these must be. */
const MOST_ANYWHERE = 100;
const SHORTEST_ANYWHERE = 8;
const WORD = /[\p{L}\p{M}\p{N}_]+/gu;

/**
 * The values that were masked, so that they are found where no name tells of them. Those that were not seen for long are forgotten,
 * so that memory is bounded.
 */
export class Learned {
  #recent = new Generation();
  #earlier = new Generation();
  readonly #anywhere = new Map<string, string>();
  #pattern: RegExp | undefined;

  /** What is learned from here on belongs to another exchange. */
  beginExchange(): void {
    this.#anywhere.clear();
    this.#pattern = undefined;
  }

  learn(found: string, standIn: string): void {
    // A copy: what was cut from a long text would keep all of that.
    const value = Buffer.from(found).toString();
    const core = coreOf(value);
    const shortest = /^\d*$/.test(core) ? SHORTEST_DIGITS : SHORTEST;
    if (value === standIn || core.length < shortest || value.length > LONGEST) {
      return;
    }
    if (value.length >= SHORTEST_ANYWHERE && this.#anywhere.size < MOST_ANYWHERE) {
      this.#anywhere.set(value, standIn);
      this.#pattern = undefined;
    }
    const at = value.indexOf(core);
    this.#keep(core, { value, standIn, before: value.slice(0, at), after: value.slice(at + core.length) });
  }

  /** What stands for a value, where it was learned. */
  standInOf(value: string): string | undefined {
    const found = this.#find(coreOf(value));
    return found?.value === value ? found.standIn : undefined;
  }

  /** Where a text has values that were learned. */
  placesIn(text: string): Place[] {
    return [...this.#wordsIn(text), ...this.#anywhereIn(text)];
  }

  #keep(core: string, learned: LearnedValue): void {
    if (this.#recent.size === MOST_VALUES) {
      this.#earlier = this.#recent;
      this.#recent = new Generation();
    }
    this.#recent.keep(core, learned);
  }

  #find(core: string): LearnedValue | undefined {
    const recent = this.#recent.get(core);
    const earlier = recent ?? this.#earlier.get(core);
    if (earlier && !recent) {
      this.#keep(core, earlier);
    }
    return earlier;
  }

  #wordsIn(text: string): Place[] {
    const words = [...text.matchAll(WORD)].map(({ 0: word, index }) => ({
      word,
      from: index,
      to: index + word.length,
    }));
    const places: Place[] = [];
    for (let at = 0; at < words.length; at += 1) {
      const { word = '', from = 0 } = words[at] ?? {};
      // The longest one goes first, as another may be its beginning.
      for (let count = this.#mostWords(word); count > 0; count -= 1) {
        const to = words[at + count - 1]?.to;
        const learned = to === undefined ? undefined : this.#find(text.slice(from, to));
        if (to !== undefined && learned) {
          places.push(placeOf(learned, text, from, to));
          at += count - 1;
          break;
        }
      }
    }
    return places;
  }

  #mostWords(word: string): number {
    return Math.max(this.#recent.mostWords(word), this.#earlier.mostWords(word));
  }

  #anywhereIn(text: string): Place[] {
    if (this.#anywhere.size === 0) {
      return [];
    }
    const longestFirst = () => [...this.#anywhere.keys()].sort((one, other) => other.length - one.length);
    this.#pattern ??= new RegExp(longestFirst().map(escaped).join('|'), 'g');
    return [...text.matchAll(this.#pattern)].map(({ 0: found, index }) => {
      return { from: index, to: index + found.length, standIn: this.#anywhere.get(found) ?? found };
    });
  }
}

/** Values by their cores, and how many words those have that begin with a word. */
class Generation {
  readonly #values = new Map<string, LearnedValue>();
  readonly #mostWords = new Map<string, number>();

  get size(): number {
    return this.#values.size;
  }

  get(core: string): LearnedValue | undefined {
    return this.#values.get(core);
  }

  mostWords(word: string): number {
    return this.#mostWords.get(word) ?? 0;
  }

  keep(core: string, learned: LearnedValue): void {
    const words = core.match(WORD) ?? [];
    const [first = ''] = words;
    this.#mostWords.set(first, Math.max(words.length, this.mostWords(first)));
    this.#values.set(core, learned);
  }
}

/** With the signs around the value, where they are there. */
function placeOf({ standIn, before, after, value }: LearnedValue, text: string, from: number, to: number): Place {
  const isWhole =
    text.startsWith(after, to) &&
    (before === '' || (from >= before.length && text.startsWith(before, from - before.length)));
  if (isWhole) {
    return { from: from - before.length, to: to + after.length, standIn };
  }
  const isAlike = standIn.length === value.length;
  return { from, to, standIn: isAlike ? standIn.slice(before.length, standIn.length - after.length) : standIn };
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}
