/** Letters that decide quickly that a name is in no list: most names of a text are not. */
const TAIL_LETTERS = 3;
const LONGEST_NAME = 100;
const MAX_VERDICTS = 2000;

/** Lower case, without separators and numbers at the end: `X-Api_Key2` becomes `xapikey`. */
export function plainName(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .replace(/\d+$/, '');
}

/** Finds the kind of a name in lists of whole names and of name endings. */
export class NameList<Kind extends string> {
  readonly #whole = new Map<string, Kind>();
  readonly #ends = new Map<number, [end: string, kind: Kind][]>();
  readonly #tails = new Set<number>();
  readonly #except: ReadonlySet<string>;
  readonly #verdicts = new Map<string, Kind | undefined>();

  constructor(except: readonly string[] = []) {
    this.#except = new Set(except.map(plainName));
  }

  add(kind: Kind, { whole = [], ends = [] }: { whole?: readonly string[]; ends?: readonly string[] }): this {
    for (const name of whole.map(plainName).filter((plain) => !this.#whole.has(plain))) {
      this.#whole.set(name, kind);
      this.#tails.add(tailOf(name));
    }
    for (const end of ends.map(plainName)) {
      const tail = tailOf(end);
      this.#tails.add(tail);
      this.#ends.set(tail, [...(this.#ends.get(tail) ?? []), [end, kind]]);
    }
    return this;
  }

  /** The kind of a name; of a path such as `$.payer.pin` or `user[pin]`, the kind of the whole or of its last part. */
  kindOf(name: string): Kind | undefined {
    if (!this.#tails.has(tailOf(name))) {
      return undefined;
    }
    if (name.length > LONGEST_NAME) {
      return this.#lookUp(name.slice(-LONGEST_NAME));
    }
    const known = this.#verdicts.get(name);
    if (known !== undefined || this.#verdicts.has(name)) {
      return known;
    }
    if (this.#verdicts.size === MAX_VERDICTS) {
      this.#verdicts.clear();
    }
    const kind = this.#lookUp(name);
    this.#verdicts.set(name, kind);
    return kind;
  }

  #lookUp(name: string): Kind | undefined {
    const last = name.split(/[.:/[\]]+/).findLast((part) => /\p{L}/u.test(part));
    return this.#kindOfPlain(plainName(name)) ?? (last === undefined ? undefined : this.#kindOfPlain(plainName(last)));
  }

  #kindOfPlain(plain: string): Kind | undefined {
    if (this.#except.has(plain)) {
      return undefined;
    }
    const [, kind] = this.#ends.get(tailOf(plain))?.find(([end]) => plain.endsWith(end)) ?? [];
    return this.#whole.get(plain) ?? kind;
  }
}

/** The last letters of a name as one number, without separators and numbers at the end. */
function tailOf(name: string): number {
  let tail = 0;
  let letters = 0;
  for (let index = name.length - 1; index >= 0 && letters < TAIL_LETTERS; index -= 1) {
    const code = name.charCodeAt(index) | 0x20;
    const isLetter = (code >= 0x61 && code <= 0x7a) || code > 0x7f;
    if (isLetter) {
      tail = tail * 0x1_0000 + code;
      letters += 1;
    } else if (letters > 0 && code >= 0x30 && code <= 0x39) {
      // A number within the last letters, as in `p1n`, is not skipped.
      return -1;
    }
  }
  return tail;
}
