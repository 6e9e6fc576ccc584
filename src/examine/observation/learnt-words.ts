import type { OrderState } from '../shop/adapter.ts';
import type { Observation, Words } from './observation.ts';

type Meaning = 'open' | 'paid' | 'givenUp';

/** Words that are learnt from orders with a known outcome. */
export class LearntWords implements Words {
  readonly open = new Set<string>();
  readonly paid = new Set<string>();
  readonly givenUp = new Set<string>();
  readonly reopens: boolean | undefined;
  /** The words of each meaning by their form without numbers and ids, to detect words that differ with each order. */
  readonly #forms = new Map<string, Set<string>>();

  constructor(reopens: boolean | undefined) {
    this.reopens = reopens;
  }

  /** Returns whether the word is new. */
  add(meaning: Meaning, state: OrderState | undefined, { orderId = '' }: Pick<Observation, 'orderId'>): boolean {
    if (!state || this[meaning].has(state.state)) {
      return false;
    }
    const { state: word } = state;
    this[meaning].add(word);
    const form = `${meaning} ${(orderId === '' ? word : word.replaceAll(orderId, '#')).replace(/\d+/g, '#')}`;
    this.#forms.set(form, (this.#forms.get(form) ?? new Set()).add(word));
    return true;
  }

  hasNumber(meaning: Meaning): boolean {
    return [...this[meaning]].some((word) => /\d/.test(word));
  }

  /** Undefined unless the words differ with each order, so that they cannot be compared. */
  get problem(): string | undefined {
    const words = [...this.#forms.values()].find(({ size }) => size > 1);
    return (
      words &&
      `the state of an order must be a word that is the same for all such orders, not ${[...words].map((word) => JSON.stringify(word)).join(' and ')}: return only that word from orderState, because nothing can be judged by these`
    );
  }
}
