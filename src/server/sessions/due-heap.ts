import type { Instant } from '../../base/time.ts';

/** A heap of keys by due instant, then by key. Two arrays of numbers instead of objects, because there may be very many. */
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
    let index = this.size;
    for (let parent = (index - 1) >> 1; index > 0 && !this.#isBefore(parent, dueAt, key); parent = (index - 1) >> 1) {
      this.#set(index, this.#dueAts[parent] ?? 0, this.#keys[parent] ?? 0);
      index = parent;
    }
    this.#set(index, dueAt, key);
  }

  removeFirst(): void {
    const dueAt = this.#dueAts.pop();
    const key = this.#keys.pop();
    if (dueAt === undefined || key === undefined || this.size === 0) {
      return;
    }
    let index = 0;
    for (let child = 1; child < this.size; child = 2 * index + 1) {
      if (child + 1 < this.size && this.#isBefore(child + 1, this.#dueAts[child] ?? 0, this.#keys[child] ?? 0)) {
        child += 1;
      }
      if (!this.#isBefore(child, dueAt, key)) {
        break;
      }
      this.#set(index, this.#dueAts[child] ?? 0, this.#keys[child] ?? 0);
      index = child;
    }
    this.#set(index, dueAt, key);
  }

  #isBefore(index: number, dueAt: Instant, key: number): boolean {
    const other = this.#dueAts[index] ?? 0;
    return other < dueAt || (other === dueAt && (this.#keys[index] ?? 0) < key);
  }

  #set(index: number, dueAt: Instant, key: number): void {
    this.#dueAts[index] = dueAt;
    this.#keys[index] = key;
  }
}
