import { copyFileSync, cpSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Sandbox, startSandbox } from '../sandbox.ts';
import type { Attack } from './attack.ts';
import { AttackSender, entryPointOf, faultIn, TRACE } from './attack-sender.ts';
import { Memory } from './memory.ts';
import { answerTo } from './raw.ts';

/** Characters of a large scenario, which delays checkpoints. */
const BALLAST = 1_200_000;
const NOW = Date.parse('2026-03-01T10:00:00Z');

/** Called with the entry point and the status of each attack; `raw` bytes have no status. */
export type Tally = (entryPoint: string, status: number | undefined) => void;

export type Ending = 'close' | 'kill';

/** A sandbox with a separate data file, which is restarted from that file. */
export class Subject {
  #folder: string;
  readonly #memories = new Map<number, Memory>();
  #sandbox: Sandbox;
  #sender: AttackSender;

  /** Starts from a copy of another subject's files, if there are any. */
  static async start(files?: string): Promise<Subject> {
    const folder = mkdtempSync(join(tmpdir(), 'sandbox-fuzz-'));
    if (files !== undefined) {
      cpSync(files, folder, { recursive: true });
    }
    const sandbox = await startOn(folder);
    if (files === undefined) {
      // A small state would be written every second, and the journal would always be empty.
      await sandbox.session('ballast').defineScenario({ name: 'ballast', description: 'x'.repeat(BALLAST), rules: [] });
    }
    return new Subject(folder, sandbox);
  }

  private constructor(folder: string, sandbox: Sandbox) {
    this.#folder = folder;
    this.#sandbox = sandbox;
    this.#sender = new AttackSender(sandbox.url);
  }

  get url(): string {
    return this.#sandbox.url;
  }

  /** Copies the files, again if one of them changes during the copy. Returns the folder of the copy. */
  copyFiles(): string {
    const folder = mkdtempSync(join(tmpdir(), 'sandbox-fuzz-'));
    for (let seen = ''; seen !== this.#fingerprint(); ) {
      seen = this.#fingerprint();
      for (const name of this.#files()) {
        copyFileSync(join(this.#folder, name), join(folder, name));
      }
    }
    return folder;
  }

  #files(): string[] {
    return readdirSync(this.#folder).filter((name) => !/\.(lock|new)$/.test(name));
  }

  #fingerprint(): string {
    const facts = this.#files().map((name) => {
      const { ino, size, mtimeMs } = statSync(join(this.#folder, name));
      return `${name} ${ino} ${size} ${mtimeMs}`;
    });
    return facts.join();
  }

  /** The error in the answer to an attack; undefined if the answer is valid. */
  async attack(attack: Attack, tally: Tally = () => {}): Promise<string | undefined> {
    try {
      if (attack.raw) {
        const rawAnswer = await answerTo(this.url, attack.raw);
        tally('raw', undefined);
        return TRACE.test(rawAnswer) ? `it contains a stack trace: ${rawAnswer}` : undefined;
      }
      const memory = this.#memoryOf(attack.client);
      const recalled = recallIn(attack, memory);
      const answer = await this.#sender.send(recalled);
      tally(entryPointOf(attack.path), answer.status);
      if (answer.status === 200) {
        memory.learn(answer.text);
      }
      return faultIn(recalled, answer);
    } catch (error) {
      return `there was no answer: ${error}`;
    }
  }

  /**
   * Closes the sandbox, or leaves its files as a kill does, and starts it again from them. Resolves with the first difference of the
   * states; undefined if they are the same.
   */
  async restart(ending: Ending): Promise<string | undefined> {
    const before = await this.#statesAtRest();
    // A regular end writes the whole state; only after a kill is the journal read.
    const killed = ending === 'kill' ? this.copyFiles() : undefined;
    this.#sender.close();
    await this.#sandbox.close();
    if (killed !== undefined) {
      rmSync(this.#folder, { recursive: true });
      this.#folder = killed;
    }
    try {
      this.#sandbox = await startOn(this.#folder);
    } catch (error) {
      return `it does not start again: ${error}`;
    }
    this.#sender = new AttackSender(this.#sandbox.url);
    const after = await this.#states();
    const differing = [...new Set([...before.keys(), ...after.keys()])].find(
      (session) => before.get(session) !== after.get(session),
    );
    return differing === undefined
      ? undefined
      : `session ${differing} is not as it was before the start: ${difference(before.get(differing), after.get(differing))}`;
  }

  async close(): Promise<void> {
    this.#sender.close();
    await this.#sandbox.close();
    rmSync(this.#folder, { recursive: true });
  }

  #memoryOf(client: number): Memory {
    const memory = this.#memories.get(client) ?? new Memory();
    this.#memories.set(client, memory);
    return memory;
  }

  /** The state of every session, once its clock is frozen and no job is running. */
  async #statesAtRest(): Promise<ReadonlyMap<string, string>> {
    for (const name of await this.#names()) {
      const session = this.#sandbox.session(name);
      await session.freeze();
      while ((await session.list('jobs', { state: 'running' })).items.length > 0) {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }
    return this.#states();
  }

  async #states(): Promise<ReadonlyMap<string, string>> {
    const names = await this.#names();
    const states = names.map(async (name) => JSON.stringify(await this.#sandbox.session(name).state()));
    return new Map((await Promise.all(states)).map((state, index) => [names[index] ?? '', state]));
  }

  async #names(): Promise<string[]> {
    const answer = await fetch(`${this.url}/_sandbox/sessions?limit=1000`);
    const { items } = (await answer.json()) as { items: { name: string }[] };
    return items.map(({ name }) => name);
  }
}

function startOn(folder: string): Promise<Sandbox> {
  return startSandbox({
    data: join(folder, 'state.json'),
    now: NOW,
    maxSessions: 100,
    requestLogSize: 4,
    logLevel: 'error',
  });
}

function recallIn(attack: Attack, memory: Memory): Attack {
  const { path, headers, body } = attack;
  return {
    ...attack,
    path: memory.recall(path),
    headers:
      typeof headers['authorization'] === 'string'
        ? { ...headers, authorization: memory.recall(headers['authorization']) }
        : headers,
    body: typeof body === 'string' ? memory.recall(body) : body,
  };
}

/** The first difference between two texts, with some context. */
function difference(before = 'there was no such session', after = 'there is no such session'): string {
  let at = 0;
  while (at < before.length && before[at] === after[at]) {
    at += 1;
  }
  return `${before.slice(Math.max(0, at - 80), at + 80)} became ${after.slice(Math.max(0, at - 80), at + 80)}`;
}
