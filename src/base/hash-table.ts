/** Slots of a table that is new. Each is two integers: a hash, and a number plus one, 0 where the slot is free. */
const FIRST_SLOTS = 4;
/** The share of its slots that are taken at most. A search then looks at some thirty, which lie side by side. */
const FULLEST = 7 / 8;
/**
 * 2 ** 32 by the golden ratio. The upper bits of a product with it lie far apart for hashes that follow each other, as numbers of
 * records do: side by side they would leave no free slot among them, and whoever takes one out looks as far as the next.
 */
const SPREAD = 0x9e3779b1;

/**
 * A number by the hash of a text. A Map of a million texts takes a second to fill, and the garbage collector walks it; this one
 * lies in one piece outside the collector's heap, and does not keep the texts.
 */
export class HashTable {
  #slots = new Int32Array(2 * FIRST_SLOTS);
  #size = 0;

  get(hash: number): number | undefined {
    const kept = this.#slots[this.#slotOf(hash) + 1] ?? 0;
    return kept === 0 ? undefined : kept - 1;
  }

  /** The number is not negative, and less than 2 ** 31 - 1. */
  set(hash: number, number: number): void {
    const slot = this.#slotOf(hash);
    if (this.#slots[slot + 1] === 0) {
      this.#size += 1;
    }
    this.#slots[slot] = hash;
    this.#slots[slot + 1] = number + 1;
    if (2 * this.#size > FULLEST * this.#slots.length) {
      this.#grow();
    }
  }

  delete(hash: number): void {
    let free = this.#slotOf(hash);
    if (this.#slots[free + 1] === 0) {
      return;
    }
    this.#size -= 1;
    // What was put further on, because this slot was taken, moves up: a search ends at the first free slot.
    for (let slot = this.#after(free); this.#slots[slot + 1] !== 0; slot = this.#after(slot)) {
      const home = this.#homeOf(this.#slots[slot] ?? 0);
      if (this.#distance(home, slot) >= this.#distance(free, slot)) {
        this.#slots.copyWithin(free, slot, slot + 2);
        free = slot;
      }
    }
    this.#slots[free + 1] = 0;
  }

  /** Where the hash stands, or would stand. */
  #slotOf(hash: number): number {
    let slot = this.#homeOf(hash);
    while (this.#slots[slot + 1] !== 0 && this.#slots[slot] !== hash) {
      slot = this.#after(slot);
    }
    return slot;
  }

  #homeOf(hash: number): number {
    return (Math.imul(hash, SPREAD) >>> Math.clz32(this.#slots.length - 1)) & ~1;
  }

  #after(slot: number): number {
    return (slot + 2) & (this.#slots.length - 1);
  }

  #distance(from: number, to: number): number {
    return (to - from) & (this.#slots.length - 1);
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = new Int32Array(2 * before.length);
    for (let from = 0; from < before.length; from += 2) {
      if (before[from + 1] !== 0) {
        const slot = this.#slotOf(before[from] ?? 0);
        this.#slots[slot] = before[from] ?? 0;
        this.#slots[slot + 1] = before[from + 1] ?? 0;
      }
    }
  }
}

/** FNV-1a over a text's units, in 32 bits. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash ^ (hash >>> 15);
}
