import { addNamedValues, type KindOf } from './named-values.ts';
import type { FoundPlace, NamedKind } from './places.ts';
import { MARKUP } from './reading.ts';
import { isNamedValue, isNamingName } from './secret-names.ts';

const OPEN = /<([a-z_][\w:.-]*)/iy;
const CLOSE = /<\/([a-z_][\w:.-]*)\s*>/iy;
const ATTRIBUTE = /\s+([^\s"'<>/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'<>=`]+))?/y;
const TAG_END = /\s*\/?>/y;
const TEXT = /[^<]+/y;
const RAW = /(?:(?!<\/(?:script|style)\b)[\s\S])+/iy;
const DECLARATION = /<[!?][^<>]*>/y;
const DATA = '<![CDATA[';
const COMMENT = '<!--';
/** Elements of HTML that have no end. */
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i;
/** A text with deeper elements is taken for broken. */
const DEEPEST = 200;

interface Element {
  name: string;
  kind: NamedKind | undefined;
}

interface Attribute {
  name: string;
  from: number;
  to: number;
}

/** What names tell of in XML or HTML; undefined of any other text, and where it is broken. */
export function namedMarkupIn(text: string, kindOf: KindOf): FoundPlace[] | undefined {
  return new Markup(text, kindOf).read();
}

class Markup {
  readonly #text: string;
  readonly #kindOf: KindOf;
  readonly #open: Element[] = [];
  readonly #places: FoundPlace[] = [];
  #at = 0;
  /** What an element before named the next one, as in `<name>pin</name><value>1</value>`. */
  #named: NamedKind | undefined;

  constructor(text: string, kindOf: KindOf) {
    this.#text = text;
    this.#kindOf = kindOf;
  }

  read(): FoundPlace[] | undefined {
    while (this.#at < this.#text.length) {
      const isRead = this.#readText() || this.#readEnd() || this.#readTag() || this.#readApart();
      if (!isRead || this.#open.length > DEEPEST) {
        return undefined;
      }
    }
    // A name in such brackets may also be a placeholder in a sentence.
    return this.#open.some(({ kind }) => kind !== undefined) ? undefined : this.#places;
  }

  #readText(): boolean {
    const { name = '', kind } = this.#open.at(-1) ?? {};
    const from = this.#at;
    if (!this.#skip(/^(?:script|style)$/i.test(name) ? RAW : TEXT)) {
      return false;
    }
    this.#addText(from, this.#at, kind, true);
    if (isNamingName(name)) {
      this.#named = this.#kindOf(this.#text.slice(from, Math.min(this.#at, from + 100)).trim());
    }
    return true;
  }

  /** What is read as it stands, and comments and declarations. */
  #readApart(): boolean {
    const [begin, end] = this.#text.startsWith(DATA, this.#at) ? [DATA, ']]>'] : [COMMENT, '-->'];
    const from = this.#at + begin.length;
    const to = this.#text.startsWith(begin, this.#at) ? this.#text.indexOf(end, from) : -1;
    if (to === -1) {
      return this.#skip(DECLARATION);
    }
    this.#addText(from, to, this.#open.at(-1)?.kind, false);
    this.#at = to + end.length;
    return true;
  }

  #readEnd(): boolean {
    const from = this.#at;
    if (!this.#skip(CLOSE)) {
      return false;
    }
    const name = localName(this.#text.slice(from + 2, this.#at - 1).trim());
    const place = this.#open.findLastIndex((element) => element.name === name);
    this.#open.length = place === -1 ? this.#open.length : place;
    return true;
  }

  #readTag(): boolean {
    const begin = this.#at + 1;
    if (!this.#skip(OPEN)) {
      return false;
    }
    const name = localName(this.#text.slice(begin, this.#at));
    const attributes = this.#attributes();
    const parent = this.#open.at(-1);
    const naming = attributes.find((attribute) => isNamingName(attribute.name));
    const given = naming && this.#kindOf(this.#text.slice(naming.from, naming.to));
    const named = isNamedValue(name) ? this.#named : undefined;
    this.#named = undefined;
    const kind = this.#kindOfMember(name, parent?.name ?? '') ?? given ?? named ?? parent?.kind;
    for (const attribute of attributes) {
      const isGiven = attribute !== naming && isNamedValue(attribute.name);
      this.#add(attribute, this.#kindOfMember(attribute.name, name) ?? (isGiven ? given : undefined), true);
    }
    const isEnded = this.#skip(TAG_END);
    if (isEnded && this.#text.charAt(this.#at - 2) !== '/' && !VOID.test(name)) {
      this.#open.push({ name, kind });
    }
    return isEnded;
  }

  #attributes(): Attribute[] {
    const attributes: Attribute[] = [];
    for (let from = this.#at; isBlank(this.#text.charCodeAt(from)); from = this.#at) {
      ATTRIBUTE.lastIndex = from;
      const [whole, name = '', value = ''] = ATTRIBUTE.exec(this.#text) ?? [];
      if (whole === undefined) {
        break;
      }
      this.#at = from + whole.length;
      const quote = /^["']/.test(value) ? 1 : 0;
      const place = { from: this.#at - value.length + quote, to: this.#at - quote };
      attributes.push({ name: localName(name).replace(/^data-/i, ''), ...place });
    }
    return attributes;
  }

  /** A separate text, such as a script. */
  #addText(from: number, to: number, kind: NamedKind | undefined, isEncoded: boolean): void {
    if (kind === undefined && to - from < 3) {
      return;
    }
    const text = this.#text.slice(from, to);
    if (kind !== undefined) {
      const start = from + text.length - text.trimStart().length;
      this.#add({ from: start, to: start + text.trim().length }, kind, isEncoded);
    } else if (/[:=>]/.test(text)) {
      const found: FoundPlace[] = [];
      addNamedValues(text, { kindOf: this.#kindOf, isStructured: true, withQuotes: false }, found);
      this.#places.push(...found.map((place) => ({ ...place, from: from + place.from, to: from + place.to })));
    }
  }

  #add({ from, to }: { from: number; to: number }, kind: NamedKind | undefined, isEncoded: boolean): void {
    if (kind !== undefined && to > from) {
      this.#places.push({ from, to, kind, spelling: isEncoded ? MARKUP : undefined });
    }
  }

  /** By its own name, or with that of the element that has it, as `payer` and `name`. */
  #kindOfMember(name: string, owner: string): NamedKind | undefined {
    return this.#kindOf(name) ?? (owner === '' ? undefined : this.#kindOf(`${owner}.${name}`));
  }

  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    const isThere = pattern.test(this.#text);
    this.#at = isThere ? pattern.lastIndex : this.#at;
    return isThere;
  }
}

/** Without the prefix of its namespace. */
function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}
