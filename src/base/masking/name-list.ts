const MAX_NAME_LENGTH = 100;

/** Separators between the letters of a name, or at its end; also letters outside ASCII, which no listed name has. */
const BETWEEN_LETTERS = String.raw`[ <_.[\]\-\x80-\uffff]*`;
/** Number of last letters of names in the search pattern. With more the search is slower, with fewer it finds more unlisted names. */
const LETTERS_OF_PATTERN = 3;

/** A node of a tree of names that are read from their end. `before`: the next nodes, by the symbol before the ones that were read. */
interface Node<Kind> {
  readonly before: (Node<Kind> | undefined)[];
  whole?: Verdict<Kind>;
  end?: Verdict<Kind>;
  isException?: boolean;
}

/** The kind of a listed name or ending. If several endings of a name are listed, the one with the lowest rank counts. */
interface Verdict<Kind> {
  kind: Kind;
  rank: number;
}

/**
 * Finds the kind of a name in lists of whole names and of name endings, in upper or lower case, with any separators, and with numbers at its end.
 * Names are read from their end, because the end of most names is not in the lists.
 */
export class NameList<Kind extends string> {
  readonly #root: Node<Kind> = { before: [] };
  #nextRank = 0;

  constructor(except: readonly string[] = []) {
    for (const name of except) {
      this.#nodeOf(name).isException = true;
    }
  }

  add(kind: Kind, { whole = [], ends = [] }: { whole?: readonly string[]; ends?: readonly string[] }): this {
    const verdict = { kind, rank: this.#nextRank };
    this.#nextRank += 1;
    for (const name of whole) {
      this.#nodeOf(name).whole ??= verdict;
    }
    for (const end of ends) {
      this.#nodeOf(end).end ??= verdict;
    }
    return this;
  }

  /** The kind of a name in a text; for a path such as `$.payer.pin` or `user[pin]`, the kind of the whole path or of its last part. */
  kindOf(text: string, from = 0, to = text.length): Kind | undefined {
    const begin = Math.max(from, to - MAX_NAME_LENGTH);
    let node = this.#root;
    let end: Verdict<Kind> | undefined;
    let lastPart: Verdict<Kind> | undefined;
    let hasLastPart = false;
    for (let at = endOfLetters(text, begin, to) - 1; at >= begin; at -= 1) {
      const code = text.charCodeAt(at);
      const symbol = symbolOf(code);
      if (symbol !== NONE) {
        const next = node.before[symbol];
        if (!next) {
          return (end ?? lastPart)?.kind;
        }
        node = next;
        end = next.end && (!end || next.end.rank < end.rank) ? next.end : end;
      } else if (!hasLastPart && isBetweenParts(code)) {
        hasLastPart = true;
        lastPart = verdictAt(node, end);
      }
    }
    return (verdictAt(node, end) ?? lastPart)?.kind;
  }

  /** The kind of a member by its name, or by its name after that of its owner, such as `name` after `payer`. */
  kindOfMember(owner: string, text: string, from = 0, to = text.length): Kind | undefined {
    const kind = this.kindOf(text, from, to);
    const isWithOwner = kind === undefined && owner !== '' && this.#isEnd(text, from, to);
    return isWithOwner ? this.kindOf(`${owner}.${text.slice(from, to)}`) : kind;
  }

  /** A pattern for the last letters of all names that may be in the lists, for a search regardless of case. */
  get lastLetters(): string {
    return patternOf(this.#root, 0);
  }

  /** Whether any name in the lists ends with this name. */
  #isEnd(text: string, from: number, to: number): boolean {
    let node: Node<Kind> | undefined = this.#root;
    for (let at = endOfLetters(text, from, to) - 1; node && at >= from; at -= 1) {
      const symbol = symbolOf(text.charCodeAt(at));
      node = symbol === NONE ? node : node.before[symbol];
    }
    return node !== undefined;
  }

  #nodeOf(name: string): Node<Kind> {
    let node = this.#root;
    for (let at = endOfLetters(name, 0, name.length) - 1; at >= 0; at -= 1) {
      const symbol = symbolOf(name.charCodeAt(at));
      if (symbol !== NONE) {
        const next: Node<Kind> = node.before[symbol] ?? { before: [] };
        node.before[symbol] = next;
        node = next;
      }
    }
    return node;
  }
}

/** A pattern for the letters before those that were read; empty if a name may begin there. */
function patternOf<Kind>({ before, whole, end }: Node<Kind>, depth: number): string {
  if (whole || end || depth === LETTERS_OF_PATTERN) {
    return '';
  }
  const patterns = before.flatMap((node, symbol) => {
    const letter = DIGITS_AND_LETTERS.charAt(symbol - 1);
    const rest = node ? patternOf(node, letter === '' ? depth : depth + 1) : '';
    return node ? [letter === '' ? rest : rest + (rest && BETWEEN_LETTERS) + (CAPITALS[letter] ?? letter)] : [];
  });
  return patterns.includes('') ? '' : `(?:${patterns.join('|')})`;
}

/** The verdict for a name that was read up to its beginning. */
function verdictAt<Kind>(
  { isException, whole }: Node<Kind>,
  end: Verdict<Kind> | undefined,
): Verdict<Kind> | undefined {
  return isException ? undefined : (whole ?? end);
}

function endOfLetters(text: string, from: number, to: number): number {
  let at = to;
  while (at > from && symbolOf(text.charCodeAt(at - 1)) <= LAST_DIGIT) {
    at -= 1;
  }
  return at;
}

/** Symbols of ASCII characters: digits are 1 to 10, letters of either case 11 to 36, and other characters 0. */
const SYMBOLS = new Uint8Array(0x80);
const [NONE, LAST_DIGIT] = [0, 10];
const DIGITS_AND_LETTERS = '0123456789abcdefghijklmnopqrstuvwxyz';
/** Two letters have an additional capital outside ASCII, which the search regardless of case does not find. */
const CAPITALS: Readonly<Record<string, string>> = { i: '[i\u0130]', k: '[k\u212a]' };
for (const [index, character] of [...DIGITS_AND_LETTERS].entries()) {
  SYMBOLS[character.charCodeAt(0)] = index + 1;
  SYMBOLS[character.toUpperCase().charCodeAt(0)] = index + 1;
}

function symbolOf(code: number): number {
  if (code < 0x80) {
    return SYMBOLS[code] ?? NONE;
  }
  const symbol = OTHER_SYMBOLS.get(code) ?? otherSymbolOf(String.fromCharCode(code));
  OTHER_SYMBOLS.set(code, symbol);
  return symbol;
}

/** Cached, because the pattern and the conversion of case are slow. */
const OTHER_SYMBOLS = new Map<number, number>();

function otherSymbolOf(character: string): number {
  const lower = character.toLowerCase().charCodeAt(0);
  return /[\p{L}\p{N}]/u.test(character) ? (SYMBOLS[lower] ?? lower) : NONE;
}

function isBetweenParts(code: number): boolean {
  // . : / [ ]
  return code === 0x2e || code === 0x3a || code === 0x2f || code === 0x5b || code === 0x5d;
}
