/** The item at which a reader continues. */
export interface BufferedItem<Item> {
  item: Item;
  /** Counts up and is unique, even after a clear. */
  position: number;
  /** How many items before it were dropped unread. */
  missed: number;
}

/** The last items of a sequence, for readers that each have their own place. */
export class RingBuffer<Item> {
  readonly #capacity: number;
  #items: Item[] = [];
  #end = 0;
  /** Position of the last clear, because items before it do not count as missed. */
  #begin = 0;

  /** `capacity` items are kept at least, and twice as many at most. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get items(): readonly Item[] {
    return this.#items;
  }

  get nextPosition(): number {
    return this.#end;
  }

  /** Returns the dropped items. Cutting at twice the capacity is cheap however many items there were. */
  add(item: Item): readonly Item[] {
    this.#items.push(item);
    this.#end += 1;
    return this.#items.length > this.#capacity * 2 ? this.#items.splice(0, this.#items.length - this.#capacity) : [];
  }

  removeFirst(): Item | undefined {
    return this.#items.shift();
  }

  /** Undefined if there is no item from this place on yet. */
  from(position: number): BufferedItem<Item> | undefined {
    const first = this.#end - this.#items.length;
    const wanted = Math.max(position, this.#begin);
    const at = Math.max(wanted, first);
    const item = this.#items[at - first];
    return item === undefined ? undefined : { item, position: at, missed: at - wanted };
  }

  /** The place of the first of the last items that all fit. */
  positionOfFirst(fits: (item: Item) => boolean): number {
    return this.#end - this.#items.length + this.#items.findLastIndex((item) => !fits(item)) + 1;
  }

  clear(): void {
    this.#items = [];
    this.#begin = this.#end;
  }
}
