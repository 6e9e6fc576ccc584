/** An item where a reader goes on. */
export interface Found<Item> {
  item: Item;
  /** Counts up, and is no other item's, whatever was cleared. */
  place: number;
  /** How many before it had to make room and were not read. */
  missed: number;
}

/** The last items of what goes on, for readers that each have a place of their own. */
export class Tail<Item> {
  readonly #capacity: number;
  #items: Item[] = [];
  /** The place of the next item. */
  #end = 0;
  /** Where what was cleared ends: nobody missed it. */
  #begin = 0;

  /** It keeps so many at least, and twice as many at most. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get items(): readonly Item[] {
    return this.#items;
  }

  get nextPlace(): number {
    return this.#end;
  }

  /** Returns those that had to make room: cutting at twice the capacity keeps it cheap however many there were. */
  add(item: Item): readonly Item[] {
    this.#items.push(item);
    this.#end += 1;
    return this.#items.length > this.#capacity * 2 ? this.#items.splice(0, this.#items.length - this.#capacity) : [];
  }

  removeFirst(): Item | undefined {
    return this.#items.shift();
  }

  /** The first item from a place on; undefined where there is none yet. */
  from(place: number): Found<Item> | undefined {
    const first = this.#end - this.#items.length;
    const wanted = Math.max(place, this.#begin);
    const at = Math.max(wanted, first);
    const item = this.#items[at - first];
    return item === undefined ? undefined : { item, place: at, missed: at - wanted };
  }

  /** The place of the first item of the last ones that all fit. */
  placeOfLast(fits: (item: Item) => boolean): number {
    return this.#end - this.#items.length + this.#items.findLastIndex((item) => !fits(item)) + 1;
  }

  clear(): void {
    this.#items = [];
    this.#begin = this.#end;
  }
}
