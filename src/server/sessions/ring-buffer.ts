/** The item at which a reader continues. */
export interface BufferedItem<Item> {
  item: Item;
  /** Positions increase and are unique, even after `clear`. */
  position: number;
  /** How many items before it were dropped before the reader had read them. */
  missed: number;
}

/** The last items of a sequence, for readers that each have their own position. */
export class RingBuffer<Item> {
  readonly #capacity: number;
  #items: Item[] = [];
  #end = 0;
  /** Position of the last `clear`, because items before it do not count as missed. */
  #clearPosition = 0;

  /** `add` keeps at least the last `capacity` items, and at most twice as many. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get items(): readonly Item[] {
    return this.#items;
  }

  get nextPosition(): number {
    return this.#end;
  }

  /** Returns the dropped items. Items are only dropped at twice the capacity, because each removal moves the others. */
  add(item: Item): readonly Item[] {
    this.#items.push(item);
    this.#end += 1;
    return this.#items.length > this.#capacity * 2 ? this.#items.splice(0, this.#items.length - this.#capacity) : [];
  }

  removeFirst(): Item | undefined {
    return this.#items.shift();
  }

  /** The first item from a position on; undefined if it does not exist yet. */
  readFrom(position: number): BufferedItem<Item> | undefined {
    const first = this.#end - this.#items.length;
    const start = Math.max(position, this.#clearPosition);
    const at = Math.max(start, first);
    const item = this.#items[at - first];
    return item === undefined ? undefined : { item, position: at, missed: at - start };
  }

  /** The position after the last matching item; that of the first item if none matches. */
  positionAfterLast(matches: (item: Item) => boolean): number {
    return this.#end - this.#items.length + this.#items.findLastIndex(matches) + 1;
  }

  clear(): void {
    this.#items = [];
    this.#clearPosition = this.#end;
  }
}
