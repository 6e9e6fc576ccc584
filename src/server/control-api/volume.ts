import { Mutex } from '../../base/mutex.ts';
import type { Payment } from '../../base/schema/generated/records.ts';
import type { Instant } from '../../base/time.ts';
import type { Epoch, Reader } from '../sessions/reader.ts';

const MAX_INTERVALS = 48;

/** The possible lengths of intervals. Each is a multiple of the previous one, so that counts can be merged. */
const INTERVAL_SECONDS = [
  ...[1, 5, 10, 30, 60, 300, 600, 1800, 3600, 10_800, 21_600, 43_200],
  ...[1, 7, 28, 364, 3640, 36_400, 364_000].map((days) => days * 86_400),
];

/** Small enough that counting a page does not delay other calls. */
const PAGE_SIZE = 1000;

/** The number of payments in an interval, by channel. */
export interface Interval {
  at: Instant;
  channels: ReadonlyMap<string, number>;
}

type PaymentReader = Pick<Reader, 'list' | 'epoch'>;

/** Counts each payment once, by time and channel, because neither of them ever changes. */
export class Volume {
  #level = 0;
  /** Counts by channel, by the number of the interval since 1970. */
  #intervals = new Map<number, Map<string, number>>();
  #firstAt = Number.POSITIVE_INFINITY;
  #lastAt = Number.NEGATIVE_INFINITY;

  /** Length of each interval. */
  get seconds(): number {
    return INTERVAL_SECONDS[this.#level] ?? 1;
  }

  /** Intervals with payments, oldest first. */
  get intervals(): Interval[] {
    const intervals = [...this.#intervals].sort(([one], [other]) => one - other);
    return intervals.map(([number, channels]) => ({ at: number * this.seconds * 1000, channels: new Map(channels) }));
  }

  add({ createdAt, channel }: Pick<Payment, 'createdAt' | 'channel'>): void {
    this.#firstAt = Math.min(this.#firstAt, createdAt);
    this.#lastAt = Math.max(this.#lastAt, createdAt);
    while (this.#numberOf(this.#lastAt) - this.#numberOf(this.#firstAt) >= MAX_INTERVALS) {
      this.#lengthenIntervals();
    }
    this.#count(this.#numberOf(createdAt), channel, 1);
  }

  #numberOf(instant: Instant): number {
    return Math.floor(instant / (this.seconds * 1000));
  }

  #lengthenIntervals(): void {
    const [shorter, { seconds }] = [this.#intervals, this];
    this.#intervals = new Map();
    this.#level += 1;
    for (const [number, channels] of shorter) {
      for (const [channel, payments] of channels) {
        this.#count(this.#numberOf(number * seconds * 1000), channel, payments);
      }
    }
  }

  #count(number: number, channel: string, payments: number): void {
    const channels = this.#intervals.get(number) ?? new Map<string, number>();
    this.#intervals.set(number, channels.set(channel, (channels.get(channel) ?? 0) + payments));
  }
}

class RunningVolume {
  readonly #volume = new Volume();
  /** Number of counted payments, which is also the position of the next one, because payments are never removed. */
  #counted = 0;
  readonly #mutex = new Mutex();

  update(reader: PaymentReader): Promise<Volume> {
    return this.#mutex.run(() => this.#addNext(reader));
  }

  async #addNext(reader: PaymentReader): Promise<Volume> {
    let hasMore = true;
    while (hasMore) {
      const after = this.#counted === 0 ? {} : { after: this.#counted - 1 };
      const { items, nextCursor } = await reader.list('payments', { limit: PAGE_SIZE, ...after });
      for (const payment of items) {
        this.#volume.add(payment);
      }
      this.#counted += items.length;
      hasMore = nextCursor !== null;
    }
    return this.#volume;
  }
}

const volumes = new WeakMap<Epoch, RunningVolume>();

/** The first read counts all payments, later reads only new ones. */
export function volumeOf(reader: PaymentReader): Promise<Volume> {
  const volume = volumes.get(reader.epoch) ?? new RunningVolume();
  volumes.set(reader.epoch, volume);
  return volume.update(reader);
}
