import { type Kind, NAMING, type Names } from './names.ts';
import { MARKUP } from './reading.ts';
import { type FoundPlace, placesInBroken } from './text-places.ts';

const OPEN = /<([a-z_][\w:.-]*)/iy;
const CLOSE = /<\/([a-z_][\w:.-]*)\s*>/iy;
const ATTRIBUTE = /\s+([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>=`]+)))?/dy;
const TAG_END = /\s*(\/?)>/y;
/** What is read by itself, with what stands in it. */
const APART = /<!\[CDATA\[([\s\S]*?)\]\]>|<!--([\s\S]*?)-->|<[!?][^<>]*>/dy;
const RAW = /(?:(?!<\/(?:script|style)\b)[\s\S])+/iy;
const TEXT = /[^<]+/y;
/** Elements of HTML that have no end. */
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i;
/** Deeper ones are not kept in mind: such a text is taken for broken. */
const DEEPEST = 200;

interface Element {
  name: string;
  /** What its name says of all that is in it. */
  kind: Kind | undefined;
}

interface Attribute {
  name: string;
  from: number;
  to: number;
}

/** What names say in XML or HTML; undefined of any other text, and where it is broken. */
export function placesInMarkup(text: string, names: Names): FoundPlace[] | undefined {
  return /^\s*<[a-z!?]/i.test(text) ? new Markup(text, names).read() : undefined;
}

class Markup {
  readonly #text: string;
  readonly #names: Names;
  readonly #open: Element[] = [];
  readonly #places: FoundPlace[] = [];
  #at = 0;

  constructor(text: string, names: Names) {
    this.#text = text;
    this.#names = names;
  }

  read(): FoundPlace[] | undefined {
    while (this.#at < this.#text.length) {
      if (
        !(this.#readText() || this.#readTag() || this.#readEnd() || this.#readApart()) ||
        this.#open.length > DEEPEST
      ) {
        return undefined;
      }
    }
    return this.#places;
  }

  #readText(): boolean {
    const { name = '', kind } = this.#open.at(-1) ?? {};
    const text = this.#take(/^(?:script|style)$/i.test(name) ? RAW : TEXT);
    this.#addText(this.#at - (text?.[0].length ?? 0), this.#at, kind, true);
    return text !== undefined;
  }

  #readApart(): boolean {
    const apart = this.#take(APART);
    const [from, to] = apart?.indices?.[1] ?? apart?.indices?.[2] ?? [0, 0];
    this.#addText(from, to, this.#open.at(-1)?.kind, false);
    return apart !== undefined;
  }

  #readEnd(): boolean {
    const end = this.#take(CLOSE);
    const place = end ? this.#open.findLastIndex(({ name }) => name === localOf(end[1])) : -1;
    if (place !== -1) {
      this.#open.length = place;
    }
    return end !== undefined;
  }

  #readTag(): boolean {
    const name = localOf(this.#take(OPEN)?.[1]);
    if (name === '') {
      return false;
    }
    const attributes: Attribute[] = [];
    for (let found = this.#take(ATTRIBUTE); found; found = this.#take(ATTRIBUTE)) {
      const [from, to] = found.indices?.[2] ?? found.indices?.[3] ?? found.indices?.[4] ?? [0, 0];
      attributes.push({ name: localOf(found[1]).replace(/^data-/i, ''), from, to });
    }
    const parent = this.#open.at(-1);
    // An element may have its name in an attribute, such as the field of a form.
    const named = attributes.find((attribute) => NAMING.test(attribute.name));
    const given = named && this.#names.kindOf(this.#text.slice(named.from, named.to));
    const kind = this.#names.kindOfMember(name, parent?.name ?? '') ?? given ?? parent?.kind;
    for (const attribute of attributes) {
      const isValue = attribute !== named && /^(?:value|content)$/i.test(attribute.name);
      this.#add(attribute, this.#names.kindOfMember(attribute.name, name) ?? (isValue ? given : undefined), true);
    }
    const end = this.#take(TAG_END);
    if (end?.[1] === '' && !VOID.test(name)) {
      this.#open.push({ name, kind });
    }
    return end !== undefined;
  }

  /** A text of its own, such as a script. */
  #addText(from: number, to: number, kind: Kind | undefined, isSpelled: boolean): void {
    const text = this.#text.slice(from, to);
    if (kind !== undefined) {
      const start = from + (/^\s*/.exec(text)?.[0].length ?? 0);
      this.#add({ from: start, to: start + text.trim().length }, kind, isSpelled);
    } else if (/[:=]/.test(text)) {
      const places = placesInBroken(text, this.#names);
      this.#places.push(...places.map((place) => ({ ...place, from: from + place.from, to: from + place.to })));
    }
  }

  #add({ from, to }: { from: number; to: number }, kind: Kind | undefined, isSpelled: boolean): void {
    if (kind !== undefined && to > from) {
      this.#places.push({ from, to, kind, ...(isSpelled ? { spelling: MARKUP } : {}) });
    }
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text) ?? undefined;
    this.#at += found?.[0].length ?? 0;
    return found;
  }
}

/** Without what stands for its namespace. */
function localOf(name = ''): string {
  return name.slice(name.indexOf(':') + 1);
}
