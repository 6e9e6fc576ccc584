import type { Instant } from '../../base/time.ts';

/** Keys, each due at an instant: the next one first, of one instant the smallest. Two arrays of numbers, and no objects. */
export class DueHeap {
  readonly #dueAts: Instant[] = [];
  readonly #keys: number[] = [];

  get size(): number {
    return this.#keys.length;
  }

  get first(): { dueAt: Instant; key: number } | undefined {
    const dueAt = this.#dueAts[0];
    const key = this.#keys[0];
    return dueAt === undefined || key === undefined ? undefined : { dueAt, key };
  }

  push(dueAt: Instant, key: number): void {
    let place = this.size;
    for (let above = (place - 1) >> 1; place > 0 && !this.#isBefore(above, dueAt, key); above = (place - 1) >> 1) {
      this.#stand(place, this.#dueAts[above] ?? 0, this.#keys[above] ?? 0);
      place = above;
    }
    this.#stand(place, dueAt, key);
  }

  removeFirst(): void {
    const dueAt = this.#dueAts.pop();
    const key = this.#keys.pop();
    if (dueAt === undefined || key === undefined || this.size === 0) {
      return;
    }
    let place = 0;
    for (let below = 1; below < this.size; below = 2 * place + 1) {
      if (below + 1 < this.size && this.#isBefore(below + 1, this.#dueAts[below] ?? 0, this.#keys[below] ?? 0)) {
        below += 1;
      }
      if (!this.#isBefore(below, dueAt, key)) {
        break;
      }
      this.#stand(place, this.#dueAts[below] ?? 0, this.#keys[below] ?? 0);
      place = below;
    }
    this.#stand(place, dueAt, key);
  }

  #isBefore(place: number, dueAt: Instant, key: number): boolean {
    const other = this.#dueAts[place] ?? 0;
    return other < dueAt || (other === dueAt && (this.#keys[place] ?? 0) < key);
  }

  #stand(place: number, dueAt: Instant, key: number): void {
    this.#dueAts[place] = dueAt;
    this.#keys[place] = key;
  }
}
