import { isMembers } from '../../base/members.ts';
import type { RecordedCall } from '../../base/schema/recordings.ts';
import { leavesOf, sentLeavesOf } from '../leaves.ts';

/** Placeholders by the member that is sent. */
const SENT: Readonly<Record<string, string>> = {
  payerReference: 'payerReference',
  payerName: 'payerName',
  merchantId: 'merchantId',
  amount: 'amount',
  paymentCurrency: 'currency',
  paymentDescription: 'description',
};
/** What an answer has of its own that texts in it repeat. */
const REPEATED = ['paymentId', 'paymentCode'];
/** Calls of one kind send the same: it names the channel. */
const OF_ALL = 'walletName';

/** Shorter texts are the same by chance. */
const SHORTEST = 3;
/** A shorter text stands in words and numbers by chance. */
const SHORTEST_PART = 5;

const PLACEHOLDER = /\\?\{\{[A-Za-z]*(?:\}\})?/g;

/** Makes templates of the members of one answer: what is a value of the call becomes a placeholder. */
export class AnswerTexts {
  /** Placeholders by the text they stand for. */
  readonly #names = new Map<string, string>();
  /** Texts that the call sent and that have no placeholder. */
  readonly #others = new Set<string>();
  readonly #pattern: RegExp | undefined;
  readonly #leftAlone: RegExp | undefined;
  readonly #leftWithin: readonly string[];
  readonly #own: ReadonlySet<string>;

  /** `own`: members that have a placeholder of their own name. */
  constructor(call: RecordedCall, answer: Record<string, unknown>, own: ReadonlySet<string>) {
    this.#own = own;
    for (const { name, value } of sentLeavesOf(call)) {
      for (const text of textsOf(name, value)) {
        this.#add(text, SENT[name], name);
      }
    }
    for (const name of REPEATED.filter((each) => own.has(each))) {
      const value = answer[name];
      if (typeof value === 'string' && value.length >= SHORTEST_PART) {
        this.#names.set(value, name);
      }
    }
    this.#pattern = patternOf([...this.#names.keys()], 'gu');
    const all = [...this.#others, ...this.#names.keys()];
    this.#leftAlone = patternOf(all, 'u');
    this.#leftWithin = all.filter((text) => text.length >= SHORTEST_PART);
  }

  #add(text: string, placeholder: string | undefined, name: string): void {
    if (text.length < SHORTEST || name === OF_ALL) {
      return;
    }
    if (placeholder === undefined) {
      this.#others.add(text);
    } else if (!this.#names.has(text)) {
      this.#names.set(text, placeholder);
    }
  }

  /** A member of the answer as a template; undefined where it still names values of one payment. */
  templateOf(value: unknown, member: string): unknown {
    const template = this.#templated(value, member);
    return this.#isOfOne(template) ? undefined : template;
  }

  #templated(value: unknown, member: string): unknown {
    // An id that is no text here is another one each time all the same.
    if (this.#own.has(member) && (typeof value === 'number' || isMembers(value))) {
      return `{{${member}}}`;
    }
    if (typeof value === 'string' && value !== '') {
      return this.#text(value, member);
    }
    if (Array.isArray(value)) {
      return value.map((item) => this.#templated(item, ''));
    }
    return isMembers(value)
      ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, this.#templated(each, '')]))
      : value;
  }

  #text(text: string, member: string): string {
    const name = this.#names.get(text) ?? (this.#own.has(member) ? member : undefined);
    if (name !== undefined) {
      return `{{${name}}}`;
    }
    // What looks like a placeholder in the recording is none.
    const escaped = text.replaceAll('{{', '\\{{');
    return this.#pattern ? escaped.replace(this.#pattern, (found) => `{{${this.#names.get(found)}}}`) : escaped;
  }

  #isOfOne(template: unknown): boolean {
    return [...leavesOf(template)].some(({ value }) => {
      const rest = typeof value === 'string' ? value.replace(PLACEHOLDER, '\u0000') : '';
      return rest !== '' && (this.#leftAlone?.test(rest) || this.#leftWithin.some((text) => rest.includes(text)));
    });
  }
}

/** Whether a template is the value of a placeholder, and so another one for each payment. */
export function isPlaceholder(template: unknown): boolean {
  return typeof template === 'string' && /^\{\{[A-Za-z]+\}\}$/.test(template);
}

/** An amount is also written with two decimals. */
function textsOf(name: string, value: unknown): string[] {
  if (typeof value !== 'string' && typeof value !== 'number') {
    return [];
  }
  const amount = name === 'amount' && value !== '' ? Number(value) : Number.NaN;
  return Number.isNaN(amount) ? [String(value)] : [String(value), amount.toFixed(2)];
}

/** Finds texts where they are whole words or numbers, the longest first. */
function patternOf(texts: readonly string[], flags: string): RegExp | undefined {
  const sorted = texts.toSorted((one, other) => other.length - one.length);
  const escaped = sorted.map((text) => text.replace(/[$()*+./?[\\\]^{|}]/g, '\\$&'));
  const [before, after] = ['(?<![\\p{L}\\d]|\\d[.,])', '(?![\\p{L}\\d]|[.,]\\d)'];
  return sorted.length === 0 ? undefined : new RegExp(`${before}(?:${escaped.join('|')})${after}`, flags);
}
