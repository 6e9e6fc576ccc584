import { computed } from '@preact/signals';
import type { FollowedList, ListItem, LiveList } from './live-list.ts';

/** Merges several lists into one, newest first. */
export class MergedList<Item extends ListItem> implements FollowedList<Item> {
  readonly #lists: readonly LiveList<Item>[];
  readonly #timeOf: (item: Item) => string;
  /**
   * The earliest time from which every list is complete. Older items are not shown yet, because items of an incomplete list may be
   * between them.
   */
  readonly #completeFrom = computed(
    () =>
      this.#lists
        .filter(({ cursor }) => cursor.value !== null)
        .flatMap(({ items }) => items.value.slice(-1).map(this.#timeOf))
        .sort()
        .at(-1) ?? '',
  );
  readonly items = computed(() =>
    this.#lists
      .flatMap(({ items }) => items.value.filter((item) => this.#timeOf(item) >= this.#completeFrom.value))
      .sort((one, other) => this.#timeOf(other).localeCompare(this.#timeOf(one))),
  );
  readonly status = computed(() => {
    const all = this.#lists.map(({ status }) => status.value);
    return all.find((status) => status === 'failed') ?? all.find((status) => status === 'loading') ?? 'ready';
  });
  readonly problem = computed(() => this.#lists.map(({ problem }) => problem.value).find((each) => each !== '') ?? '');
  readonly cursor = computed(() => this.#lists.map(({ cursor }) => cursor.value).find((each) => each !== null) ?? null);
  readonly heldCount = computed(() => this.#lists.reduce((sum, { heldCount }) => sum + heldCount.value, 0));
  readonly isFollowing = computed(() => this.#lists.every(({ isFollowing }) => isFollowing.value));
  readonly isCut = computed(() => this.#lists.some(({ isCut }) => isCut.value));

  constructor(lists: readonly LiveList<Item>[], timeOf: (item: Item) => string) {
    this.#lists = lists;
    this.#timeOf = timeOf;
  }

  setFollowing(isFollowing: boolean): void {
    for (const list of this.#lists) {
      list.setFollowing(isFollowing);
    }
  }

  /** Fetches more of the lists that are least complete. */
  async loadOlder(): Promise<void> {
    const completeFrom = this.#completeFrom.value;
    const laggingLists = this.#lists.filter(
      ({ cursor, items }) =>
        cursor.value !== null && items.value.slice(-1).every((last) => this.#timeOf(last) >= completeFrom),
    );
    await Promise.all(laggingLists.map((list) => list.loadOlder()));
  }

  stop(): void {
    for (const list of this.#lists) {
      list.stop();
    }
  }
}
