import { HashTable } from '../base/hash-table.ts';
import type { Instant } from '../base/time.ts';

export interface Due {
  number: number;
  dueAt: Instant;
}

/**
 * Numbers, each due at an instant; the next one first, and of those due at the same instant the smallest. A heap in two arrays, and
 * where each number stands in it: a number takes some thirty bytes, and any can be put off or taken out.
 */
export class DueQueue {
  readonly #numbers: number[] = [];
  readonly #dueAts: Instant[] = [];
  readonly #places = new HashTable();

  get size(): number {
    return this.#numbers.length;
  }

  /** What is next due; undefined when nothing is. */
  get first(): Due | undefined {
    const number = this.#numbers[0];
    const dueAt = this.#dueAts[0];
    return number === undefined || dueAt === undefined ? undefined : { number, dueAt };
  }

  has(number: number): boolean {
    return this.#places.get(number) !== undefined;
  }

  /** Puts a number in; when it was due before is forgotten. */
  put(number: number, dueAt: Instant): void {
    this.#settle(this.#places.get(number) ?? this.size, number, dueAt);
  }

  remove(number: number): void {
    const place = this.#places.get(number);
    if (place === undefined) {
      return;
    }
    this.#places.delete(number);
    const last = this.#numbers.pop();
    const lastDueAt = this.#dueAts.pop();
    if (last !== undefined && lastDueAt !== undefined && last !== number) {
      this.#settle(place, last, lastDueAt);
    }
  }

  /** All of them, in no order. */
  *[Symbol.iterator](): Generator<Due> {
    for (const [place, number] of this.#numbers.entries()) {
      yield { number, dueAt: this.#dueAts[place] ?? 0 };
    }
  }

  /** Finds the place of a number, from one whose number may be overwritten: up past those due later, or down past those due earlier. */
  #settle(from: number, number: number, dueAt: Instant): void {
    let place = from;
    for (let above = (place - 1) >> 1; place > 0 && this.#isBefore(number, dueAt, above); above = (place - 1) >> 1) {
      this.#move(above, place);
      place = above;
    }
    for (let below = this.#firstBelow(place); below < this.size && !this.#isBefore(number, dueAt, below); ) {
      this.#move(below, place);
      place = below;
      below = this.#firstBelow(place);
    }
    this.#stand(place, number, dueAt);
  }

  /** Of the two places below one, that which is due first. */
  #firstBelow(place: number): number {
    const left = 2 * place + 1;
    const right = left + 1;
    const isRight = right < this.size && this.#isBefore(this.#numbers[right] ?? 0, this.#dueAts[right] ?? 0, left);
    return isRight ? right : left;
  }

  #isBefore(number: number, dueAt: Instant, place: number): boolean {
    const other = this.#dueAts[place] ?? 0;
    return dueAt < other || (dueAt === other && number < (this.#numbers[place] ?? 0));
  }

  #move(from: number, to: number): void {
    this.#stand(to, this.#numbers[from] ?? 0, this.#dueAts[from] ?? 0);
  }

  #stand(place: number, number: number, dueAt: Instant): void {
    this.#numbers[place] = number;
    this.#dueAts[place] = dueAt;
    this.#places.set(number, place);
  }
}
