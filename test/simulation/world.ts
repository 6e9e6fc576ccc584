import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Refusal } from '../../src/base/refusal.ts';
import type { Delivery } from '../../src/base/schema/generated/records.ts';
import { runSteps } from '../../src/base/steps.ts';
import { endOfTurn } from '../../src/base/timers.ts';
import { createJobTable } from '../../src/server/app/jobs.ts';
import { loadFixtures } from '../../src/server/config/fixtures.ts';
import { deliveryJob } from '../../src/server/domain/webhooks/delivery-job.ts';
import { addDeliveries } from '../../src/server/domain/webhooks/outbox.ts';
import type { SendResult } from '../../src/server/domain/webhooks/sender.ts';
import type { JobContext } from '../../src/server/sessions/job.ts';
import type { Session } from '../../src/server/sessions/session.ts';
import { Sessions } from '../../src/server/sessions/sessions.ts';
import { SharedMemory } from '../../src/server/sessions/shared-memory.ts';
import { openStore } from '../../src/server/store/file/embedded-store.ts';
import type { Store } from '../../src/server/store/store.ts';

export const NOW = Date.parse('2026-03-01T10:00:00.000Z');
const NAME = 'shop';
const fixtures = await loadFixtures();

/** A notification that has arrived and waits for its answer. */
export interface ParkedNotification {
  delivery: Delivery;
  /** The epoch in which its endpoint was set. Each reset, restore and deletion begins a new one. */
  epoch: number;
  /** Identifies the attempt: epoch, notification, endpoint, number of earlier attempts, and number of kills. */
  key: string;
  answer(how: 'ok' | 'error' | 'hang up'): void;
}

/**
 * A session on a real store with the real job table, whose receivers the test controls: every notification waits
 * until `answer` is called. After a kill, it continues with a copy of the files at that moment.
 */
export class World {
  readonly errors: unknown[] = [];
  readonly parked: ParkedNotification[] = [];
  /** The arrivals of each key. No key may arrive twice. */
  readonly arrivals = new Map<string, number>();
  epoch = 0;
  kills = 0;
  #folder: string | undefined;
  #store: Store;
  #sessions: Sessions;
  #isDead: { value: boolean } = { value: false };

  /** Only a world on files can be killed; one in memory is much faster. */
  static async create(storage: 'on files' | 'in memory'): Promise<World> {
    const folder = storage === 'on files' ? mkdtempSync(join(tmpdir(), 'sandbox-simulation-')) : undefined;
    return new World(folder, await storeIn(folder));
  }

  private constructor(folder: string | undefined, store: Store) {
    this.#folder = folder;
    this.#store = store;
    this.#sessions = this.#sessionsOn(store);
  }

  get session(): Session {
    return this.#sessions.open(NAME);
  }

  /** Deletes the session; the next one with its name is a new session. */
  delete(): Promise<void> {
    return this.#sessions.delete(NAME);
  }

  /** Like `kill -9` and a start: data that is not in the files is lost. */
  async kill(): Promise<void> {
    if (this.#folder === undefined) {
      return;
    }
    const folder = mkdtempSync(join(tmpdir(), 'sandbox-simulation-'));
    cpSync(this.#folder, folder, { recursive: true, filter: (path) => !/\.(lock|new)$/.test(path) });
    await this.#leave();
    this.kills += 1;
    this.#folder = folder;
    this.#store = await storeIn(folder);
    this.#isDead = { value: false };
    this.#sessions = this.#sessionsOn(this.#store);
    await this.#sessions.load();
    await this.#sessions.resume();
  }

  async close(): Promise<void> {
    await this.#leave();
  }

  async #leave(): Promise<void> {
    this.#isDead.value = true;
    this.parked.length = 0;
    await this.#sessions.stop();
    await this.#store.close();
    if (this.#folder !== undefined) {
      rmSync(this.#folder, { recursive: true });
    }
  }

  /** Resolves when every running job waits for an answer or the clock. */
  async waitUntilQuiet(): Promise<void> {
    for (let quiet = 0, turns = 0; quiet < 3; turns += 1) {
      await endOfTurn();
      const running = runSteps(this.session.scheduler.inspect()).filter(({ state }) => state === 'running');
      const waiting = running.filter(({ waitsFor }) => waitsFor !== 'network' && waitsFor !== null).length;
      const isQuiet = running.length === waiting + this.parked.filter(({ epoch }) => epoch === this.epoch).length;
      quiet = isQuiet ? quiet + 1 : 0;
      if (turns > 5000) {
        throw new Error(`it never comes to rest: ${JSON.stringify(runSteps(this.session.scheduler.inspect()))}`);
      }
    }
  }

  #sessionsOn(store: Store): Sessions {
    const isDead = this.#isDead;
    const sender = { send: (delivery: Delivery, context: JobContext) => this.#receive(delivery, context, isDead) };
    return new Sessions(
      {
        store,
        fixtures: () => fixtures,
        publicUrl: () => 'http://127.0.0.1:4100',
        requestLogMemory: new SharedMemory(1e6),
        historyMemory: new SharedMemory(1e6),
        installationKey: Buffer.alloc(32),
        hooks: {
          jobs: createJobTable(deliveryJob(sender, () => false)),
          onEvents: (transaction, events) => addDeliveries(transaction, events, undefined),
          onPublished: () => undefined,
          // A charge that is no longer possible is not an error.
          onJobFailed: (kind, id, error) => error instanceof Refusal || this.errors.push([kind, id, error]),
          onError: (error) => this.errors.push(error),
        },
      },
      { seed: 'simulation', scenario: 'payer-decides', now: NOW, maxSessions: 10 },
    );
  }

  async #receive(delivery: Delivery, { signal, sleep }: JobContext, isDead: { value: boolean }): Promise<SendResult> {
    if (delivery.webhookBehaviour.mode === 'slow') {
      await sleep(5000);
    }
    const epoch = Number(/epoch-(\d+)/.exec(delivery.url)?.[1]);
    const key = `${epoch} ${delivery.webhookId} ${delivery.endpointId} ${delivery.attempts.length} life ${this.kills}`;
    return new Promise((resolve, reject) => {
      if (isDead.value) {
        reject(new Error('sent by a process that is dead'));
        return;
      }
      this.arrivals.set(key, (this.arrivals.get(key) ?? 0) + 1);
      const parked: ParkedNotification = {
        delivery,
        epoch,
        key,
        answer: (result) => {
          this.#unpark(parked);
          resolve(sentWith(result, `epoch ${epoch}`));
        },
      };
      this.parked.push(parked);
      signal.addEventListener('abort', () => {
        this.#unpark(parked);
        reject(new Error('aborted'));
      });
    });
  }

  #unpark(parked: ParkedNotification): void {
    const at = this.parked.indexOf(parked);
    if (at >= 0) {
      this.parked.splice(at, 1);
    }
  }
}

function sentWith(result: 'ok' | 'error' | 'hang up', response: string): SendResult {
  const status = { ok: 200, error: 500, 'hang up': null }[result];
  return { headers: {}, status, ms: 0, error: result === 'ok' ? null : result, response };
}

function storeIn(folder: string | undefined): Promise<Store> {
  const file = folder === undefined ? ':memory:' : join(folder, 'state.json');
  return openStore({ file, syncToDisk: false, onWarning: () => undefined });
}
