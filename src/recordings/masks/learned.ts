import type { KnownPlace } from '../../base/masking/rules.ts';
import { type Phone, phoneOf, phonesIn, SHORTEST_PHONE } from './phones.ts';
import { coreOf } from './stand-ins.ts';

interface LearnedValue {
  value: string;
  standIn: string;
  /** What the value has before its first letter or digit, and behind its last one. */
  before: string;
  after: string;
  /** Whether it is found in upper and lower case. Of a secret, that would be another one. */
  isPersonal: boolean;
}

/** Values in each of the two generations. */
const MOST_VALUES = 10_000;
/** Shorter values, and those of digits alone, may be a part of any text. */
const SHORTEST = 4;
const SHORTEST_DIGITS = 6;
/** Of a single name, which is looked for in its own exchange alone. */
const SHORTEST_WORD = 2;
const LONGEST = 1024;
/** Values of the exchange at hand that are also found where they are no words of their own, and how long these must be. */
const MOST_ANYWHERE = 100;
const SHORTEST_ANYWHERE = 8;
const WORD = /[\p{L}\p{M}\p{N}_]+/gu;
/** A single name, which elsewhere may be any other word, such as a status. */
const SINGLE_WORD = /^[\p{L}\p{M}]+$/u;

/**
 * The values that were masked, so that they are found where no name tells of them. Those that were not seen for long are forgotten,
 * so that memory is bounded.
 */
export class Learned {
  #recent = new Generation();
  #earlier = new Generation();
  readonly #anywhere = new Map<string, string>();
  /** Single words that are personal, of the exchange at hand. */
  readonly #words = new Map<string, LearnedValue>();
  #pattern: RegExp | undefined;

  /** What is learned from here on belongs to another exchange. */
  beginExchange(): void {
    this.#anywhere.clear();
    this.#words.clear();
    this.#pattern = undefined;
  }

  learn(found: string, standIn: string, { isPersonal }: { isPersonal: boolean }): void {
    // A copy: what was cut from a long text would keep all of that.
    const value = Buffer.from(found).toString();
    const core = coreOf(value);
    const isSingleWord = isPersonal && SINGLE_WORD.test(core);
    const shortest = isSingleWord ? SHORTEST_WORD : /^\d*$/.test(core) ? SHORTEST_DIGITS : SHORTEST;
    if (value === standIn || core.length < shortest || value.length > LONGEST) {
      return;
    }
    const at = value.indexOf(core);
    const learned = { value, standIn, before: value.slice(0, at), after: value.slice(at + core.length), isPersonal };
    if (isSingleWord) {
      this.#words.set(folded(core), learned);
      return;
    }
    if (value.length >= SHORTEST_ANYWHERE && this.#anywhere.size < MOST_ANYWHERE) {
      this.#anywhere.set(value, standIn);
      this.#pattern = undefined;
    }
    this.#keep(isPersonal ? folded(core) : core, learned);
  }

  /** What stands for a value, where it was learned, or for a phone number that was learned in another form. */
  standInOf(value: string): string | undefined {
    const found = this.#findAnyCase(coreOf(value));
    if (found?.value === value) {
      return found.standIn;
    }
    const [phone] = this.#phonesIn(value);
    const isWhole = phone && !/[\p{L}\p{N}]/u.test(value.slice(0, phone.from) + value.slice(phone.to));
    return isWhole ? value.slice(0, phone.from) + phone.standIn + value.slice(phone.to) : undefined;
  }

  /** Where a text has values that were learned. */
  placesIn(text: string): KnownPlace[] {
    return [...this.#phonesIn(text), ...this.#wordsIn(text), ...this.#anywhereIn(text)];
  }

  #phonesIn(text: string): KnownPlace[] {
    const [{ phones }, { phones: earlier }] = [this.#recent, this.#earlier];
    return phones.size + earlier.size === 0 ? [] : phonesIn(text, (last) => phones.get(last) ?? earlier.get(last));
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

  #findAnyCase(core: string): LearnedValue | undefined {
    const exact = this.#find(core);
    const alike = exact ?? this.#find(folded(core));
    return exact ?? (alike?.isPersonal ? alike : undefined);
  }

  /** Single words count in texts of several words alone: where one is all, it says what the text's name says, such as a status. */
  #findWord(text: string, from: number, to: number): LearnedValue | undefined {
    const beside = text.slice(Math.max(0, from - 1), from) + text.slice(to, to + 1);
    const isWordOfText = /\s/.test(beside) && !/[-=/]/.test(beside);
    return isWordOfText ? this.#words.get(folded(text.slice(from, to))) : undefined;
  }

  #wordsIn(text: string): KnownPlace[] {
    const words = [...text.matchAll(WORD)].map(({ 0: word, index }) => ({
      word,
      from: index,
      to: index + word.length,
    }));
    const places: KnownPlace[] = [];
    for (let at = 0; at < words.length; at += 1) {
      const { word = '', from = 0 } = words[at] ?? {};
      // The longest one goes first, as another may be its beginning.
      for (let count = this.#mostWords(word); count > 0; count -= 1) {
        const to = words[at + count - 1]?.to;
        if (to === undefined) {
          continue;
        }
        const isOneOfSeveral = count === 1 && words.length > 1;
        const word = isOneOfSeveral ? this.#findWord(text, from, to) : undefined;
        const learned = this.#findAnyCase(text.slice(from, to)) ?? word;
        if (learned) {
          places.push(placeOf(learned, text, from, to));
          at += count - 1;
          break;
        }
      }
    }
    return places;
  }

  #mostWords(word: string): number {
    const first = folded(word);
    return Math.max(this.#words.size > 0 ? 1 : 0, this.#recent.mostWords(first), this.#earlier.mostWords(first));
  }

  #anywhereIn(text: string): KnownPlace[] {
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
  /** By their last digits. */
  readonly phones = new Map<string, Phone>();
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
    const first = folded(words[0] ?? '');
    this.#mostWords.set(first, Math.max(words.length, this.mostWords(first)));
    this.#values.set(core, learned);
    const phone = learned.isPersonal ? phoneOf(learned.value, learned.standIn) : undefined;
    if (phone) {
      this.phones.set(phone.digits.slice(-SHORTEST_PHONE), phone);
    }
  }
}

/** With the signs around the value, where they are there. */
function placeOf(
  { standIn, before, after, value, isPersonal }: LearnedValue,
  text: string,
  from: number,
  to: number,
): KnownPlace {
  const isWhole =
    text.startsWith(after, to) &&
    (before === '' || (from >= before.length && text.startsWith(before, from - before.length)));
  if (isWhole) {
    const place = { from: from - before.length, to: to + after.length };
    return { ...place, standIn: isPersonal ? inCaseOf(text.slice(place.from, place.to), standIn) : standIn };
  }
  const isAlike = standIn.length === value.length;
  const part = isAlike ? standIn.slice(before.length, standIn.length - after.length) : standIn;
  return { from, to, standIn: isPersonal ? inCaseOf(text.slice(from, to), part) : part };
}

/** A stand-in of the same shape as a text, with letters as large as in that. */
function inCaseOf(text: string, standIn: string): string {
  const letters = [...text];
  const drawn = [...standIn];
  return letters.length === drawn.length
    ? drawn
        .map((letter, at) => (/\p{Lu}/u.test(letters[at] ?? '') ? letter.toUpperCase() : letter.toLowerCase()))
        .join('')
    : standIn;
}

function folded(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ');
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}
