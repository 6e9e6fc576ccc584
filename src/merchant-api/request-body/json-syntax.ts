/** Where a text stops being JSON. Says nothing of the text's content, which may hold secrets. */
export interface SyntaxFault {
  /** Index into the text. */
  offset: number;
  expected: string;
  /** What stands there, by its kind: "a letter", "'}'", "the end of the body". */
  received: string;
}

type Expectation = keyof typeof EXPECTED;

const EXPECTED = {
  value: 'a value',
  'first-entry': "a value or ']'",
  'first-name': "a member name in double quotes or '}'",
  name: 'a member name in double quotes',
  colon: "':'",
  'next-member': "',' or '}'",
  'next-entry': "',' or ']'",
  end: 'nothing more',
} as const;

const LITERALS: Readonly<Record<string, string>> = { t: 'true', f: 'false', n: 'null' };
const ESCAPES = /[\\"/bfnrt]|u[0-9A-Fa-f]{4}/y;
const DIGITS = /[0-9]+/y;
const SPACE = /[ \t\r\n]*/y;

/** The first place where a text breaks the grammar of JSON; null when it is JSON. Source: RFC 8259. */
export function findSyntaxFault(text: string): SyntaxFault | null {
  try {
    new Scanner(text).scan();
    return null;
  } catch (error) {
    if (error instanceof Stop) {
      return { offset: error.offset, expected: error.expected, received: kindAt(text, error.offset) };
    }
    throw error;
  }
}

class Stop extends Error {
  readonly offset: number;
  readonly expected: string;

  constructor(offset: number, expected: string) {
    super(expected);
    this.offset = offset;
    this.expected = expected;
  }
}

/** Walks over a text without building anything; keeps its own stack, as the nesting may be deep. */
class Scanner {
  readonly #text: string;
  readonly #open: ('object' | 'array')[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  scan(): void {
    let expectation: Expectation = 'value';
    for (;;) {
      this.#take(SPACE);
      if (expectation === 'end' && this.#at === this.#text.length) {
        return;
      }
      expectation = this.#step(expectation);
    }
  }

  #step(expectation: Expectation): Expectation {
    const character = this.#text[this.#at] ?? '';
    switch (expectation) {
      case 'value':
        return this.#value(character, expectation);
      case 'first-entry':
        return character === ']' ? this.#close() : this.#value(character, expectation);
      case 'first-name':
        return character === '}' ? this.#close() : this.#name(character, expectation);
      case 'name':
        return this.#name(character, expectation);
      case 'colon':
        return character === ':' ? this.#go('value') : this.#fail(EXPECTED[expectation]);
      case 'next-member':
        return character === ','
          ? this.#go('name')
          : character === '}'
            ? this.#close()
            : this.#fail(EXPECTED[expectation]);
      case 'next-entry':
        return character === ','
          ? this.#go('value')
          : character === ']'
            ? this.#close()
            : this.#fail(EXPECTED[expectation]);
      case 'end':
        return this.#fail(EXPECTED[expectation]);
    }
  }

  #value(character: string, expectation: Expectation): Expectation {
    if (character === '{' || character === '[') {
      this.#open.push(character === '{' ? 'object' : 'array');
      return this.#go(character === '{' ? 'first-name' : 'first-entry');
    }
    const literal = LITERALS[character];
    if (character === '"') {
      this.#string();
    } else if (literal !== undefined && this.#text.startsWith(literal, this.#at)) {
      this.#at += literal.length;
    } else if (character === '-' || isDigit(character)) {
      this.#number();
    } else {
      this.#fail(EXPECTED[expectation]);
    }
    return this.#afterValue();
  }

  #name(character: string, expectation: Expectation): Expectation {
    if (character !== '"') {
      this.#fail(EXPECTED[expectation]);
    }
    this.#string();
    return 'colon';
  }

  #string(): void {
    for (this.#at += 1; ; this.#at += 1) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === 0x22) {
        this.#at += 1;
        return;
      }
      if (code === 0x5c) {
        this.#at += 1;
        this.#expect(ESCAPES, 'an escape that JSON knows');
        this.#at -= 1;
      } else if (!(code >= 0x20)) {
        this.#fail(Number.isNaN(code) ? 'the closing double quote' : 'no control character in a string');
      }
    }
  }

  #number(): void {
    this.#at += this.#text[this.#at] === '-' ? 1 : 0;
    if (this.#text[this.#at] === '0') {
      this.#at += 1;
    } else {
      this.#expect(DIGITS, 'a digit');
    }
    if (this.#text[this.#at] === '.') {
      this.#at += 1;
      this.#expect(DIGITS, 'a digit');
    }
    if (this.#text[this.#at] === 'e' || this.#text[this.#at] === 'E') {
      this.#at += 1;
      this.#at += this.#text[this.#at] === '+' || this.#text[this.#at] === '-' ? 1 : 0;
      this.#expect(DIGITS, 'a digit');
    }
  }

  #close(): Expectation {
    this.#open.pop();
    this.#at += 1;
    return this.#afterValue();
  }

  #afterValue(): Expectation {
    const around = this.#open.at(-1);
    return around === undefined ? 'end' : around === 'object' ? 'next-member' : 'next-entry';
  }

  #go(next: Expectation): Expectation {
    this.#at += 1;
    return next;
  }

  #expect(pattern: RegExp, expected: string): void {
    if (!this.#take(pattern)) {
      this.#fail(expected);
    }
  }

  #take(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    const fits = pattern.test(this.#text);
    this.#at = fits ? pattern.lastIndex : this.#at;
    return fits;
  }

  #fail(expected: string): never {
    throw new Stop(this.#at, expected);
  }
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9';
}

/** The kind of character at a place; structural characters are named, the rest could be part of a secret. */
function kindAt(text: string, offset: number): string {
  const code = text.codePointAt(offset);
  if (code === undefined) {
    return 'the end of the body';
  }
  const character = String.fromCodePoint(code);
  if ('{}[]:,'.includes(character)) {
    return `'${character}'`;
  }
  const kinds: [RegExp, string][] = [
    [/"/, 'a double quote'],
    [/'/, 'a single quote'],
    [/[\r\n]/, 'a line break'],
    [/\p{Cc}/u, 'a control character'],
    [/\d/, 'a digit'],
    [/[\p{L}_]/u, 'a letter'],
  ];
  return kinds.find(([pattern]) => pattern.test(character))?.[1] ?? 'another character';
}
