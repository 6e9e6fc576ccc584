const LONGEST_NAME = 100;

/** Characters between the letters of a name, or those that are at its end. Some are letters, but of no name that is in a list. */
const BETWEEN_LETTERS = String.raw`[ <_.[\]\-\x80-\uffff]*`;
/** Last letters of a name that are searched. More of them make the search slower, and fewer find more that is not in a list. */
const LETTERS_OF_PATTERN = 3;

/** Where names stand that end alike: what is before that, by the number of its letter. */
interface Node<Kind> {
  readonly before: (Node<Kind> | undefined)[];
  whole?: Verdict<Kind>;
  end?: Verdict<Kind>;
  isException?: boolean;
}

/** What was added first counts where several ends of a name are in a list. */
interface Verdict<Kind> {
  kind: Kind;
  rank: number;
}

/**
 * Finds the kind of a name in lists of whole names and of name endings, in any case, with any separators, and with numbers at its end.
 * Names are read from their end, because most differ there at once from all in the lists.
 */
export class NameList<Kind extends string> {
  readonly #root: Node<Kind> = { before: [] };
  #added = 0;

  constructor(except: readonly string[] = []) {
    for (const name of except) {
      this.#nodeOf(name).isException = true;
    }
  }

  add(kind: Kind, { whole = [], ends = [] }: { whole?: readonly string[]; ends?: readonly string[] }): this {
    const verdict = { kind, rank: this.#added };
    this.#added += 1;
    for (const name of whole) {
      this.#nodeOf(name).whole ??= verdict;
    }
    for (const end of ends) {
      this.#nodeOf(end).end ??= verdict;
    }
    return this;
  }

  /** The kind of a name in a text; of a path such as `$.payer.pin` or `user[pin]`, the kind of the whole or of its last part. */
  kindOf(text: string, from = 0, to = text.length): Kind | undefined {
    const begin = Math.max(from, to - LONGEST_NAME);
    let node = this.#root;
    let end: Verdict<Kind> | undefined;
    let lastPart: Verdict<Kind> | undefined;
    let hasLastPart = false;
    for (let at = behindLastLetter(text, begin, to) - 1; at >= begin; at -= 1) {
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

  /** By its own name, or with that of its owner, as `payer` and `name`. */
  kindOfMember(owner: string, text: string, from = 0, to = text.length): Kind | undefined {
    const kind = this.kindOf(text, from, to);
    const isWithOwner = kind === undefined && owner !== '' && this.#isEnd(text, from, to);
    return isWithOwner ? this.kindOf(`${owner}.${text.slice(from, to)}`) : kind;
  }

  /** A pattern, regardless of case, for the last letters of each name that may be in the lists. */
  get lastLetters(): string {
    return patternOf(this.#root, 0);
  }

  /** Whether any name in the lists ends so. */
  #isEnd(text: string, from: number, to: number): boolean {
    let node: Node<Kind> | undefined = this.#root;
    for (let at = behindLastLetter(text, from, to) - 1; node && at >= from; at -= 1) {
      const symbol = symbolOf(text.charCodeAt(at));
      node = symbol === NONE ? node : node.before[symbol];
    }
    return node !== undefined;
  }

  #nodeOf(name: string): Node<Kind> {
    let node = this.#root;
    for (let at = behindLastLetter(name, 0, name.length) - 1; at >= 0; at -= 1) {
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

/** Of what is before the letters that were read. Empty where a name may begin. Letters outside ASCII count as separators. */
function patternOf<Kind>({ before, whole, end }: Node<Kind>, depth: number): string {
  if (whole || end || depth === LETTERS_OF_PATTERN) {
    return '';
  }
  const patterns = before.flatMap((node, symbol) => {
    const letter = LETTERS.charAt(symbol - 1);
    const rest = node ? patternOf(node, letter === '' ? depth : depth + 1) : '';
    return node ? [letter === '' ? rest : rest + (rest && BETWEEN_LETTERS) + (CAPITALS[letter] ?? letter)] : [];
  });
  return patterns.includes('') ? '' : `(?:${patterns.join('|')})`;
}

/** Of a name that was read up to its beginning. */
function verdictAt<Kind>(
  { isException, whole }: Node<Kind>,
  end: Verdict<Kind> | undefined,
): Verdict<Kind> | undefined {
  return isException ? undefined : (whole ?? end);
}

function behindLastLetter(text: string, from: number, to: number): number {
  let at = to;
  while (at > from && symbolOf(text.charCodeAt(at - 1)) <= LAST_DIGIT) {
    at -= 1;
  }
  return at;
}

/** Of the characters of ASCII: the digits are 1 to 10, the letters in either case 11 to 36, and others are no part of a name. */
const SYMBOLS = new Uint8Array(0x80);
const [NONE, LAST_DIGIT] = [0, 10];
const LETTERS = '0123456789abcdefghijklmnopqrstuvwxyz';
/** Two letters have a capital outside ASCII, which a pattern does not find regardless of case. */
const CAPITALS: Readonly<Record<string, string>> = { i: '[i\u0130]', k: '[k\u212a]' };
for (const [index, character] of [...LETTERS].entries()) {
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

/** Kept, because patterns and cases take long to look up. */
const OTHER_SYMBOLS = new Map<number, number>();

function otherSymbolOf(character: string): number {
  const lower = character.toLowerCase().charCodeAt(0);
  return /[\p{L}\p{N}]/u.test(character) ? (SYMBOLS[lower] ?? lower) : NONE;
}

function isBetweenParts(code: number): boolean {
  // . : / [ ]
  return code === 0x2e || code === 0x3a || code === 0x2f || code === 0x5b || code === 0x5d;
}
