import type { AnyRecord } from '../store.ts';
import type { Ordinal } from './value-index.ts';

/** Where a text stands: the number of its block, and the offset in it. */
type Address = number;
const NOWHERE: Address = -1;
const OFFSETS = 2 ** 32;
/** Bytes in front of each text: its length and its record's ordinal. */
const HEAD = 8;
const SMALLEST_BLOCK = 1 << 10;
const LARGEST_BLOCK = 1 << 20;
/** A character is at most so many bytes. */
const WIDEST = 3;
/** Records that were read last stay as objects: whoever reads one often changes it next, or reads it again. */
const RECENT = 64;

/** Filled from its beginning to its end; what stands in it stays as it is. */
interface Block {
  bytes: Buffer;
  used: number;
  /** Bytes of texts that still count. */
  live: number;
}

/**
 * Records by ordinal as the bytes of their JSON, outside the garbage collector's heap: a million of them as objects would have it
 * walk some thirty million, and a checkpoint would have to make the texts anew that it writes.
 */
export class PackedRecords {
  readonly #addresses: Address[] = [];
  /** Undefined where nothing of a block counts any more. */
  readonly #blocks: (Block | undefined)[] = [];
  readonly #recent: ({ ordinal: Ordinal; record: AnyRecord } | undefined)[] = [];
  /** Numbers of blocks of which nothing counts any more. */
  readonly #free: number[] = [];
  /** Number of the block that is being filled. */
  #current = 0;
  #live = 0;

  /** Ordinals that were given out, empty places included. */
  get length(): number {
    return this.#addresses.length;
  }

  /** Bytes of memory that the texts take, with those that do not count any more and room for the next. */
  get bytes(): number {
    return this.#blocks.reduce((sum, block) => sum + (block?.bytes.length ?? 0), 0);
  }

  has(ordinal: Ordinal): boolean {
    return (this.#addresses[ordinal] ?? NOWHERE) !== NOWHERE;
  }

  get(ordinal: Ordinal): AnyRecord | undefined {
    const recent = this.#recent[ordinal % RECENT];
    if (recent?.ordinal === ordinal) {
      return recent.record;
    }
    const bytes = this.bytesOf(ordinal);
    if (!bytes) {
      return undefined;
    }
    const record: AnyRecord = JSON.parse(bytes.toString());
    this.#recent[ordinal % RECENT] = { ordinal, record };
    return record;
  }

  /** The record's JSON. It stays as it is, whatever becomes of the record. */
  bytesOf(ordinal: Ordinal): Buffer | undefined {
    return bytesAt(this.#blocks, this.#addresses[ordinal] ?? NOWHERE);
  }

  /** Puts a record's JSON in a place, or at the end of the list. */
  put(ordinal: Ordinal, json: string | Buffer): void {
    const before = this.#addresses[ordinal] ?? NOWHERE;
    this.#addresses[ordinal] = this.#append(ordinal, json);
    this.#release(ordinal, before);
  }

  /** Leaves an empty place. */
  remove(ordinal: Ordinal): void {
    const before = this.#addresses[ordinal] ?? NOWHERE;
    this.#addresses[ordinal] = NOWHERE;
    this.#release(ordinal, before);
  }

  /** Takes the last place, which is empty, away. */
  pop(): void {
    this.#addresses.pop();
  }

  /** The texts as they are now, from an ordinal on. What changes later does not show in it. */
  capture(from: Ordinal): CapturedRecords {
    return new CapturedRecords(this.#addresses.slice(from), this.#blocks.slice());
  }

  #append(ordinal: Ordinal, json: string | Buffer): Address {
    const block = this.#blockFor(json);
    const at = block.used;
    const text = at + HEAD;
    const length = typeof json === 'string' ? block.bytes.write(json, text) : json.copy(block.bytes, text);
    block.bytes.writeUInt32LE(length, at);
    block.bytes.writeUInt32LE(ordinal, at + 4);
    const size = HEAD + length;
    block.used += size;
    block.live += size;
    this.#live += size;
    return this.#current * OFFSETS + at;
  }

  /** The block that is being filled, or a new one where the text might not fit. */
  #blockFor(json: string | Buffer): Block {
    const current = this.#blocks[this.#current];
    const most = HEAD + json.length * (typeof json === 'string' ? WIDEST : 1);
    if (current && current.bytes.length - current.used >= most) {
      return current;
    }
    const usual = Math.min(Math.max(this.#live, SMALLEST_BLOCK), LARGEST_BLOCK);
    const block = { bytes: Buffer.allocUnsafeSlow(Math.max(usual, most)), used: 0, live: 0 };
    this.#current = this.#free.pop() ?? this.#blocks.length;
    this.#blocks[this.#current] = block;
    return block;
  }

  /** A text does not count any more. A block that is mostly such texts is given up, and what still counts moved on. */
  #release(ordinal: Ordinal, address: Address): void {
    const number = Math.floor(address / OFFSETS);
    const block = address === NOWHERE ? undefined : this.#blocks[number];
    if (!block) {
      return;
    }
    if (this.#recent[ordinal % RECENT]?.ordinal === ordinal) {
      this.#recent[ordinal % RECENT] = undefined;
    }
    const size = HEAD + block.bytes.readUInt32LE(address % OFFSETS);
    block.live -= size;
    this.#live -= size;
    if (number !== this.#current && block.live * 2 < block.used) {
      this.#move(block, number);
    }
  }

  #move(block: Block, number: number): void {
    this.#live -= block.live;
    for (let at = 0; at < block.used; ) {
      const end = at + HEAD + block.bytes.readUInt32LE(at);
      const ordinal = block.bytes.readUInt32LE(at + 4);
      if (this.#addresses[ordinal] === number * OFFSETS + at) {
        this.#addresses[ordinal] = this.#append(ordinal, block.bytes.subarray(at + HEAD, end));
      }
      at = end;
    }
    this.#blocks[number] = undefined;
    this.#free.push(number);
  }
}

/** The texts of a list as they were at one moment. */
export class CapturedRecords {
  readonly #addresses: readonly Address[];
  readonly #blocks: readonly (Block | undefined)[];

  constructor(addresses: readonly Address[], blocks: readonly (Block | undefined)[]) {
    this.#addresses = addresses;
    this.#blocks = blocks;
  }

  get isEmpty(): boolean {
    return this.#addresses.every((address) => address === NOWHERE);
  }

  /** One after the other, without the empty places. */
  *[Symbol.iterator](): Generator<Buffer> {
    for (const address of this.#addresses) {
      const bytes = bytesAt(this.#blocks, address);
      if (bytes) {
        yield bytes;
      }
    }
  }
}

function bytesAt(blocks: readonly (Block | undefined)[], address: Address): Buffer | undefined {
  // Not looked up for NOWHERE, as it is for each new record: an array is slow to say that it has no place -1.
  const block = address === NOWHERE ? undefined : blocks[Math.floor(address / OFFSETS)];
  if (!block) {
    return undefined;
  }
  const at = address % OFFSETS;
  const text = at + HEAD;
  return block.bytes.subarray(text, text + block.bytes.readUInt32LE(at));
}
