import { createHash } from 'node:crypto';
import { relative, sep } from 'node:path';
import { ControlError, type SandboxClient } from '../index.ts';
import type { SandboxOptions } from './options.ts';

/** Longer file names are shortened, because digest and number must also fit into the name of a session. */
const MAX_FILE_NAME_LENGTH = 48;

/**
 * A valid session name for a test file, or for one test in it. Ids of notifications are derived from it, so it must differ
 * between files, but be the same in each run and on any worker.
 */
export function sessionNameOf(file: string | undefined, test = ''): string {
  const path = relative(process.cwd(), file ?? 'tests')
    .split(sep)
    .join('/');
  const fileName = path.replace(/[^A-Za-z0-9._-]+/g, '-').slice(-MAX_FILE_NAME_LENGTH);
  const digest = createHash('sha256')
    .update(JSON.stringify([path, test]))
    .digest('hex')
    .slice(0, 8);
  return `${fileName.replace(/^[^A-Za-z0-9]+/, '') || 'tests'}-${digest}`;
}

/** The last number that this process has tried for a session, by name. */
const counts = new Map<string, number>();

/** Creates the sessions of one test file, and deletes them. */
export class TestSessions {
  readonly #client: SandboxClient;
  readonly #name: string;
  readonly #settings: Pick<SandboxOptions, 'seed' | 'ids' | 'scenario' | 'behaviour' | 'now'>;
  readonly #openNames = new Set<string>();

  constructor(client: SandboxClient, name: string, { seed, ids, scenario, behaviour, now }: SandboxOptions) {
    this.#client = client;
    this.#name = name;
    // The sandbox chooses defaults for omitted options.
    this.#settings = {
      ...(seed === undefined ? {} : { seed }),
      ...(ids === undefined ? {} : { ids }),
      ...(scenario === undefined ? {} : { scenario }),
      ...(behaviour === undefined ? {} : { behaviour }),
      ...(now === undefined ? {} : { now }),
    };
  }

  /**
   * Creates a session. Each gets a new number, so that late calls of an earlier test do not reach it. A number may already be in use
   * if others use the same sandbox, or if a run was killed.
   */
  async open(): Promise<SandboxClient> {
    for (;;) {
      const number = (counts.get(this.#name) ?? 0) + 1;
      counts.set(this.#name, number);
      const name = number === 1 ? this.#name : `${this.#name}-${number}`;
      try {
        const session = await this.#client.createSession(name, this.#settings);
        this.#openNames.add(name);
        return session;
      } catch (error) {
        if (!isRefusedAs(error, 'conflict')) {
          throw error;
        }
      }
    }
  }

  /** Clients of the open sessions. */
  get clients(): SandboxClient[] {
    return [...this.#openNames].map((name) => this.#client.inSession(name));
  }

  /** Deletes the open sessions; those that do not exist any more are ignored. */
  async close(): Promise<void> {
    for (const name of this.#openNames) {
      this.#openNames.delete(name);
      try {
        await this.#client.deleteSession(name);
      } catch (error) {
        if (!isRefusedAs(error, 'unknown-record')) {
          throw error;
        }
      }
    }
  }
}

function isRefusedAs(error: unknown, kind: string): boolean {
  return error instanceof ControlError && error.problem['title'] === kind;
}
