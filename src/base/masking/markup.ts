import { type Steps, TextSteps } from '../steps.ts';
import { type Attribute, attributeAt } from './attributes.ts';
import { MARKUP } from './decoded-text.ts';
import type { NameList } from './name-list.ts';
import { addNamedValues } from './named-values.ts';
import type { FoundPlace, NamedKind } from './places.ts';
import { nextSeparator, roleInPair } from './secret-names.ts';
import { type Extent, matchEnd, trimExtent } from './value-extent.ts';

const OPEN = /<[a-z_][\w:.-]*/iy;
const CLOSE = /<\/[a-z_][\w:.-]*\s*>/iy;
const TAG_END = /\s*\/?>/y;
const DECLARATION = /<[!?][^<>]*>/y;
const RAW_BEGINS = /<(?:[\w.-]*:)?(?:script|style)\b/i;
const RAW_END = /<\/(?:script|style)\b/gi;
const [SLASH, GREATER] = [0x2f, 0x3e];
/** A name, a separator and a value. */
const MIN_PAIR_LENGTH = 3;
const CDATA = '<![CDATA[';
const COMMENT = '<!--';
/** HTML elements whose content is text, even if it looks like tags. */
const RAW_ELEMENTS = new Set(['script', 'style']);
/** HTML elements without an end tag. */
const VOID_ELEMENTS = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));
/** Text with deeper elements is treated as malformed. */
const MAX_DEPTH = 200;

interface Element {
  name: string;
  kind: NamedKind | undefined;
  isRaw: boolean;
  /** Whether its text may name the value in the next element. */
  isNaming: boolean;
  parent: Element | undefined;
  depth: number;
}

/** Named values in the XML or HTML that begins at an offset; undefined for any other text, and for malformed markup. */
export function namedMarkupIn(
  text: string,
  begin: number,
  names: NameList<NamedKind>,
): Steps<FoundPlace[] | undefined> {
  return new Markup(text, begin, names).read();
}

/** Whether the last tag has no end, so that the markup is malformed and need not be read. Unknown, so false, with scripts or styles. */
function isCutInTag(text: string): boolean {
  return text.lastIndexOf('<') > text.lastIndexOf('>') && !RAW_BEGINS.test(text);
}

class Markup {
  readonly #text: string;
  readonly #names: NameList<NamedKind>;
  readonly #places: FoundPlace[] = [];
  #at: number;
  #open: Element | undefined;
  /** The offset of the next separator that may have a name before it. */
  #separator = -1;
  /** A part that must be read as text, such as a script. */
  #inner: Extent | undefined;
  /** The kind of the next element, if the previous element announced it, as in `<name>pin</name><value>1</value>`. */
  #nextKind: NamedKind | undefined;

  constructor(text: string, begin: number, names: NameList<NamedKind>) {
    this.#text = text;
    this.#at = begin;
    this.#names = names;
  }

  *read(): Steps<FoundPlace[] | undefined> {
    if (isCutInTag(this.#text)) {
      return undefined;
    }
    const steps = new TextSteps();
    while (this.#at < this.#text.length) {
      if (!this.#readNext() || (this.#open?.depth ?? 0) > MAX_DEPTH) {
        return undefined;
      }
      if (this.#inner) {
        yield* this.#readInner(this.#inner);
      }
      if (steps.tryEndStep(this.#at)) {
        yield;
      }
    }
    // An open element with a secret name may be a placeholder in a sentence, such as <token>.
    return this.#open?.kind === undefined ? this.#places : undefined;
  }

  #readNext(): boolean {
    const end = this.#endOfText();
    if (end > this.#at) {
      this.#readText(end);
      return true;
    }
    return this.#text.charAt(this.#at + 1) === '/' ? this.#readEnd() : this.#readTag() || this.#readSection();
  }

  #endOfText(): number {
    RAW_END.lastIndex = this.#at;
    const end = this.#open?.isRaw ? RAW_END.exec(this.#text)?.index : this.#text.indexOf('<', this.#at);
    return end === undefined || end === -1 ? this.#text.length : end;
  }

  #readText(to: number): void {
    const from = this.#at;
    this.#at = to;
    this.#addText(from, to, true);
    if (this.#open?.isNaming) {
      this.#nextKind = this.#names.kindOf(this.#text.slice(from, Math.min(to, from + 100)).trim());
    }
  }

  /** Reads a CDATA section, a comment or a declaration. */
  #readSection(): boolean {
    const [begin, end] = this.#text.startsWith(CDATA, this.#at) ? [CDATA, ']]>'] : [COMMENT, '-->'];
    const from = this.#at + begin.length;
    const to = this.#text.startsWith(begin, this.#at) ? this.#text.indexOf(end, from) : -1;
    if (to === -1) {
      return this.#skip(DECLARATION);
    }
    this.#addText(from, to, false);
    this.#at = to + end.length;
    return true;
  }

  #readEnd(): boolean {
    const from = this.#at + 2;
    const last = this.#open?.name;
    if (
      last !== undefined &&
      this.#text.startsWith(last, from) &&
      this.#text.charCodeAt(from + last.length) === GREATER
    ) {
      // A fast path for most end tags, without a pattern.
      this.#at = from + last.length + 1;
      this.#open = this.#open?.parent;
      return true;
    }
    if (!this.#skip(CLOSE)) {
      return false;
    }
    const name = localName(this.#text.slice(from, this.#at - 1).trimEnd());
    let element = this.#open;
    while (element && element.name !== name) {
      element = element.parent;
    }
    this.#open = element ? element.parent : this.#open;
    return true;
  }

  #readTag(): boolean {
    const begin = this.#at + 1;
    if (!this.#skip(OPEN)) {
      return false;
    }
    const name = localName(this.#text.slice(begin, this.#at));
    const parent = this.#open;
    const nextKind = this.#nextKind !== undefined && roleInPair(name) === 'value' ? this.#nextKind : undefined;
    this.#nextKind = undefined;
    const givenKind = this.#readAttributes(name);
    const kind = this.#names.kindOfMember(parent?.name ?? '', name) ?? givenKind ?? nextKind ?? parent?.kind;
    const isEnded = this.#skip(TAG_END);
    const type = name.toLowerCase();
    if (isEnded && this.#text.charCodeAt(this.#at - 2) !== SLASH && !VOID_ELEMENTS.has(type)) {
      const depth = (parent?.depth ?? 0) + 1;
      this.#open = { name, kind, isRaw: RAW_ELEMENTS.has(type), isNaming: roleInPair(name) === 'name', parent, depth };
    }
    return isEnded;
  }

  /** Returns the kind that an attribute gives to the others and to the content, as in `<input name="pin" value="1">`. */
  #readAttributes(owner: string): NamedKind | undefined {
    const text = this.#text;
    const attributes: Attribute[] = [];
    let nameSource: Attribute | undefined;
    for (let attribute = attributeAt(text, this.#at); attribute; attribute = attributeAt(text, this.#at)) {
      this.#at = attribute.end;
      nameSource ??= roleInPair(text, attribute.from, attribute.to) === 'name' ? attribute : undefined;
      attributes.push(attribute);
    }
    const givenKind = nameSource && this.#names.kindOf(text, nameSource.value.from, nameSource.value.to);
    for (const attribute of attributes) {
      const { from, to, value } = attribute;
      const hasKind = givenKind !== undefined && attribute !== nameSource && roleInPair(text, from, to) === 'value';
      this.#add(value, this.#names.kindOfMember(owner, text, from, to) ?? (hasKind ? givenKind : undefined), true);
    }
    return givenKind;
  }

  /** Adds the content of an element with a listed name. Other content that may have names is read as text. */
  #addText(from: number, to: number, isEncoded: boolean): void {
    const kind = this.#open?.kind;
    if (kind !== undefined) {
      this.#add(trimExtent(this.#text, from, to), kind, isEncoded);
    } else if (
      to - from >= MIN_PAIR_LENGTH &&
      (this.#hasSeparator(from, to) || this.#text.slice(from, to).includes('['))
    ) {
      this.#inner = { from, to };
    }
  }

  /** Whether a part may have a name with a separator. Parts follow each other, so the next separator is searched only once. */
  #hasSeparator(from: number, to: number): boolean {
    if (this.#separator < from) {
      const separator = nextSeparator(this.#text, from, this.#names);
      this.#separator = separator === -1 ? this.#text.length : separator;
    }
    return this.#separator < to;
  }

  *#readInner({ from, to }: Extent): Steps<void> {
    this.#inner = undefined;
    const text = this.#text.slice(from, to);
    const options = {
      names: this.#names,
      isStructured: true,
      withQuotes: false,
      firstSeparator: nextSeparator(text, 0, this.#names),
      hasPairs: true,
    };
    yield* addNamedValues(text, options, (place) => {
      this.#places.push({ ...place, from: from + place.from, to: from + place.to });
    });
  }

  #add(extent: Extent | undefined, kind: NamedKind | undefined, isEncoded: boolean): void {
    if (extent && kind !== undefined && extent.to > extent.from) {
      this.#places.push({ from: extent.from, to: extent.to, kind, encoding: isEncoded ? MARKUP : undefined });
    }
  }

  #skip(pattern: RegExp): boolean {
    const from = this.#at;
    this.#at = matchEnd(pattern, this.#text, from);
    return this.#at > from;
  }
}

/** A name without the prefix of its namespace. */
function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
