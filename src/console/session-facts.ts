import { computed, type Signal, signal } from '@preact/signals';
import type { ChannelView, ClockView, MerchantView, SessionView } from '../base/schema/generated/control.ts';
import type { BehaviourFixture, ScenarioFixture } from '../base/schema/generated/fixtures.ts';
import { ask, ControlApiError, type ListPage } from './api.ts';
import { connection, onNotice, onRefetch, reconnect } from './stream.ts';
import { announce } from './toasts.ts';

export const session = signal<SessionView | undefined>(undefined);
export const sessions = signal<readonly SessionView[]>([]);
export const scenarios = signal<readonly ScenarioFixture[]>([]);
/** Names of the scenarios that were defined in this session. */
export const ownScenarios = signal<ReadonlySet<string>>(new Set());
export const behaviours = signal<readonly BehaviourFixture[]>([]);
export const channels = signal<readonly ChannelView[]>([]);
export const merchants = signal<readonly MerchantView[]>([]);
/** The run of the sandbox and the generation of the session. Ids can recur once either of them has changed. */
export const generation = signal('');
/** Why the session cannot be shown. */
export const refusal = signal<ControlApiError | undefined>(undefined);

const receivedClock = signal<{ clock: ClockView; at: number } | undefined>(undefined);
const machineNow = signal(Date.now());

export const clock = computed(() => receivedClock.value?.clock);

/** Milliseconds since 1970; the machine's time until the session's clock arrives. */
export const now = computed(() => {
  if (receivedClock.value === undefined) {
    return machineNow.value;
  }
  const { clock: view, at } = receivedClock.value;
  return Date.parse(view.now) + (view.mode === 'frozen' ? 0 : Math.max(0, machineNow.value - at));
});

/** Until the session's clock arrives, texts that depend on `now` could be wrong. */
export const isClockAwaited = computed(() => receivedClock.value === undefined && connection.value !== 'closed');

export function setClock(view: ClockView): void {
  receivedClock.value = { clock: view, at: Date.now() };
  machineNow.value = Date.now();
}

async function fetchScenarios(): Promise<void> {
  const [all, own] = await Promise.all([
    ask<ListPage<ScenarioFixture>>('GET', 'scenarios', { query: { limit: 200 } }),
    ask<ListPage<ScenarioFixture>>('GET', 'scenarios', { query: { limit: 200, source: 'session' } }),
  ]);
  scenarios.value = all.items;
  ownScenarios.value = new Set(own.items.map(({ name }) => name));
}

async function fetchInto<Item>(facts: Signal<readonly Item[]>, path: string): Promise<void> {
  const { items } = await ask<ListPage<Item>>('GET', path, { query: { limit: 200 } });
  facts.value = items;
}

export const fetchSessions = () => fetchInto(sessions, 'sessions');
const fetchBehaviours = () => fetchInto(behaviours, 'behaviours');
const fetchChannels = () => fetchInto(channels, 'channels');
const fetchMerchants = () => fetchInto(merchants, 'merchants');

/** Statuses of refusals that last until the user acts; others are temporary. */
const LASTING_STATUSES: ReadonlySet<number> = new Set([401, 403, 404]);
const RETRY_MS = 2000;

/** Finds out why the stream was refused, which a browser does not report, and retries, because the sandbox may be started later. */
async function findRefusal(): Promise<void> {
  let retry = reconnect;
  try {
    await ask('GET', 'clock');
  } catch (error) {
    refusal.value = error instanceof ControlApiError && LASTING_STATUSES.has(error.status) ? error : undefined;
    // The last facts of a deleted session must not look current.
    receivedClock.value = refusal.value === undefined ? receivedClock.value : undefined;
    retry = () => void findRefusal();
  }
  setTimeout(() => connection.value === 'closed' && retry(), RETRY_MS);
}

export function followFacts(): void {
  setInterval(() => {
    machineNow.value = Date.now();
  }, 1000);
  onNotice('restarted', () => {
    announce('The sandbox was restarted. Its earlier data is gone.');
  });
  onNotice('clock', setClock);
  onNotice('session', (notice) => {
    session.value = notice;
  });
  onNotice('changed', ({ collection }) => {
    if (collection === 'scenarios') {
      void fetchScenarios();
    } else if (collection === 'merchants') {
      void fetchMerchants();
    }
  });
  onNotice('over', (notice) => {
    generation.value = generation.value.replace(/\S+$/, String(notice.generation));
  });
  onNotice('ready', (notice) => {
    generation.value = `${notice.run} ${notice.generation}`;
    session.value = notice.session;
    setClock(notice.clock);
  });
  onRefetch(() => {
    refusal.value = undefined;
    const fetches = [fetchScenarios, fetchBehaviours, fetchSessions, fetchChannels, fetchMerchants];
    void Promise.all(fetches.map((each) => each())).catch(() => {});
  });
  connection.subscribe((state) => {
    if (state === 'closed') {
      void findRefusal();
    }
  });
}
