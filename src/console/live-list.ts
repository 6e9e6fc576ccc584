import { type ReadonlySignal, signal } from '@preact/signals';
import { ask, type ListPage, messageOf } from './api.ts';
import { combineCleanups, onNotice, onRefetch } from './stream.ts';

/** Maximum number of rows, so that the page stays quick. Beyond it, new rows replace the oldest, or loaded older rows the newest. */
const MAX_ROWS = 500;
const PAGE_SIZE = 50;
/** How long changes are collected before the list is fetched again; longer if answers are slow, to leave room for other calls. */
const GATHER_MS = 250;
const GATHER_FACTOR = 4;

export interface ListSource {
  /** The path below the control API. */
  path: string;
  query: Readonly<Record<string, string>>;
  /** The collection whose events change the list, or a function that subscribes to its changes. */
  changes: string | ((refresh: () => void) => () => void);
}

export interface ListItem {
  id: string | number;
}

export interface FollowedList<Item> {
  readonly items: ReadonlySignal<readonly Item[]>;
  readonly status: ReadonlySignal<'loading' | 'ready' | 'failed'>;
  readonly problem: ReadonlySignal<string>;
  /** Null if there are no older items. */
  readonly cursor: ReadonlySignal<string | null>;
  /** Number of new items that are held back because the list does not follow. */
  readonly heldCount: ReadonlySignal<number>;
  readonly isFollowing: ReadonlySignal<boolean>;
  /** Whether the newest rows were removed to make room for older ones. */
  readonly isCut: ReadonlySignal<boolean>;
  setFollowing(isFollowing: boolean): void;
  loadOlder(): Promise<void>;
  stop(): void;
}

/** A fetch: changes of the newest rows, the rows after the last one, or the newest rows in place of all. */
type FetchKind = 'changes' | 'older' | 'newest';
/** If several fetches are requested during another one, the one that is last in this list is made. */
const URGENCY: readonly (FetchKind | undefined)[] = [undefined, 'changes', 'older', 'newest'];

/** A list, newest first, that follows changes. */
export class LiveList<Item extends ListItem> implements FollowedList<Item> {
  readonly items = signal<readonly Item[]>([]);
  readonly status = signal<'loading' | 'ready' | 'failed'>('loading');
  readonly problem = signal('');
  readonly cursor = signal<string | null>(null);
  readonly heldCount = signal(0);
  readonly isFollowing = signal(true);
  readonly isCut = signal(false);
  readonly #source: ListSource;
  readonly #unsubscribe: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #runningKind: FetchKind | undefined;
  #nextKind: FetchKind | undefined;
  /** Whether the oldest rows were removed, so that the cursor is no longer valid. */
  #mustReload = false;
  #lastDurationMs = 0;
  #isStopped = false;
  #heldItems: Item[] = [];
  /** Whether more items arrived at once than a page has, so that some between the shown and the held ones are unknown. */
  #hasGap = false;

  constructor(source: ListSource) {
    this.#source = source;
    const { changes } = source;
    const refresh = () => this.#refreshSoon();
    const resumeFollowing = () => {
      this.isFollowing.value = true;
    };
    this.#unsubscribe = combineCleanups(
      // A reset or restart makes all rows obsolete, so the list follows again. After missed notices, a paused list stays paused.
      onNotice('over', resumeFollowing),
      onNotice('restarted', resumeFollowing),
      onRefetch(() => (this.isFollowing.value ? void this.#catchUp() : refresh())),
      onNotice('cleared', () => this.reload()),
      typeof changes === 'function'
        ? changes(refresh)
        : onNotice('event', ({ collection }) => collection === changes && refresh()),
    );
    void this.reload();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#unsubscribe();
  }

  /** Replaces all rows with the newest page. */
  async reload(): Promise<void> {
    await this.#fetch('newest', (page) => this.#replace(page));
  }

  /** Fetches the list after a gap in the notices. */
  async #catchUp(): Promise<void> {
    await this.#fetch('changes', (page) =>
      this.isFollowing.value || this.items.value.length === 0 ? this.#replace(page) : this.#merge(page),
    );
  }

  #replace({ items, nextCursor }: ListPage<Item>): void {
    this.#heldItems = [];
    this.heldCount.value = 0;
    this.isCut.value = false;
    this.#mustReload = false;
    this.#hasGap = false;
    this.items.value = items;
    this.cursor.value = nextCursor;
  }

  async loadOlder(): Promise<void> {
    await this.#fetch('older', ({ items, nextCursor }) => {
      const known = new Set(this.items.value.map(({ id }) => id));
      const all = [...this.items.value, ...items.filter(({ id }) => !known.has(id))];
      this.items.value = all.slice(-MAX_ROWS);
      this.isCut.value ||= all.length > MAX_ROWS;
      this.cursor.value = nextCursor;
      // The newest rows may have been removed, so the list must not follow until the user asks for it.
      this.isFollowing.value &&= this.items.value.length < MAX_ROWS;
    });
  }

  setFollowing(isFollowing: boolean): void {
    this.isFollowing.value = isFollowing;
    if (isFollowing && (this.#hasGap || this.items.value.length >= MAX_ROWS)) {
      void this.reload();
    } else if (isFollowing) {
      const added = this.#heldItems;
      this.#heldItems = [];
      this.heldCount.value = 0;
      this.#add(added);
    }
  }

  #refreshSoon(): void {
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined;
        void (this.#mustReload ? this.reload() : this.#fetch('changes', (page) => this.#merge(page)));
      },
      Math.max(GATHER_MS, this.#lastDurationMs * GATHER_FACTOR),
    );
  }

  /** Puts new rows on top or holds them back, replaces changed ones, and removes those that no longer match. */
  #merge({ items, nextCursor }: ListPage<Item>): void {
    const known = new Map(this.items.value.map((item) => [item.id, item]));
    const knownOrHeld = new Set([...known.keys(), ...this.#heldItems.map(({ id }) => id)]);
    if (known.size > 0 && !items.some(({ id }) => knownOrHeld.has(id))) {
      // Otherwise rows between the shown ones and this page would be missing.
      if (this.isFollowing.value) {
        this.items.value = items;
        this.cursor.value = nextCursor;
        return;
      }
      this.#hasGap = true;
    }
    const fresh = new Map(items.map((item) => [item.id, item]));
    this.items.value = this.#withoutRemoved(items, nextCursor !== null).map((item) => {
      const newer = fresh.get(item.id);
      return newer === undefined || JSON.stringify(newer) === JSON.stringify(item) ? item : newer;
    });
    this.#add(items.filter(({ id }) => !known.has(id)));
  }

  /** The rows, less those that no longer match the filter: the newest page reaches past them, but does not contain them. */
  #withoutRemoved(newest: readonly Item[], hasMore: boolean): readonly Item[] {
    const ids = new Set(newest.map(({ id }) => id));
    const shown = this.items.value;
    const indexes = shown.flatMap(({ id }, index) => (ids.has(id) ? [index] : []));
    const lastIndex = hasMore ? (indexes.at(-1) ?? -1) : shown.length;
    return shown.filter(({ id }, index) => index > lastIndex || ids.has(id));
  }

  #add(added: readonly Item[]): void {
    const ids = new Set(added.map(({ id }) => id));
    if (!this.isFollowing.value) {
      this.#heldItems = [...added, ...this.#heldItems.filter(({ id }) => !ids.has(id))].slice(0, MAX_ROWS);
      this.heldCount.value = this.#heldItems.length;
      return;
    }
    const all = [...added, ...this.items.value.filter(({ id }) => !ids.has(id))];
    this.items.value = all.slice(0, MAX_ROWS);
    if (all.length > MAX_ROWS) {
      // Only the sandbox knows the cursor of the row that is now the oldest.
      this.#mustReload = true;
      this.#refreshSoon();
    }
  }

  async #fetch(kind: FetchKind, apply: (page: ListPage<Item>) => void): Promise<void> {
    if (this.#runningKind !== undefined) {
      this.#enqueue(kind);
      return;
    }
    this.#runningKind = kind;
    const startedAt = performance.now();
    try {
      const cursor = kind === 'older' ? (this.cursor.value ?? undefined) : undefined;
      const page = await ask<ListPage<Item>>('GET', this.#source.path, {
        query: { ...this.#source.query, limit: PAGE_SIZE, cursor },
      });
      if (!this.#isStopped) {
        apply(page);
        this.status.value = 'ready';
      }
    } catch (error) {
      this.problem.value = messageOf(error);
      this.status.value = 'failed';
    }
    this.#lastDurationMs = performance.now() - startedAt;
    this.#runningKind = undefined;
    this.#fetchNext();
  }

  /** A fetch that is requested during another one is made afterwards, unless both load older rows, as after a double click. */
  #enqueue(kind: FetchKind): void {
    const isRepeated = kind === 'older' && this.#runningKind === 'older';
    if (!isRepeated && URGENCY.indexOf(kind) > URGENCY.indexOf(this.#nextKind)) {
      this.#nextKind = kind;
    }
  }

  /** Makes the queued fetch, and fetches changes after older rows, because only the more urgent of the two was queued. */
  #fetchNext(): void {
    const next = this.#nextKind;
    this.#nextKind = undefined;
    if (next === undefined || this.#isStopped) {
      return;
    }
    if (next === 'newest') {
      void this.reload();
      return;
    }
    if (next === 'older') {
      void this.loadOlder();
    }
    this.#refreshSoon();
  }
}
