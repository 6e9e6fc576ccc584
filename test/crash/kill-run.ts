import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { delay, steadyNow } from '../../src/base/timers.ts';
import { exampleOf } from '../interface/examples.ts';
import type { Random } from '../random.ts';
import { type Running, spawnProgram, startProgram } from '../running.ts';
import { type CheckedState, ExpectedSession } from './expected-session.ts';

/** When a process is killed: under load only, or during another operation as well. */
const MOMENTS = ['load', 'reset', 'restore', 'deletion', 'stop', 'start', 'checkpoint'] as const;
type Moment = (typeof MOMENTS)[number];

/** Some names are numbers, because objects sort such keys, and a list would treat them as indexes. */
const SESSIONS = ['default', 'shop', '1', '10', '007'];
/** Statuses of calls that a stop interrupted; whether they had an effect is unknown. */
const INTERRUPTED_STATUSES = [409, 503];

/** Kills one sandbox after another on the same data, and compares the stored data with the answers. */
export class KillRun {
  readonly counts: Record<Moment | 'midCheckpoint' | 'answered', number> = {
    ...(Object.fromEntries(MOMENTS.map((moment) => [moment, 0])) as Record<Moment, number>),
    midCheckpoint: 0,
    answered: 0,
  };
  readonly #args: string[];
  readonly #file: string;
  readonly #random: Random;
  readonly #sessions = SESSIONS.map((name) => new ExpectedSession(name));
  #payments = 0;
  /** How long a start takes on this machine. */
  #startMs = 500;
  readonly #newReference = () => {
    this.#payments += 1;
    return `ORDER-${this.#payments}`;
  };

  constructor(file: string, random: Random) {
    this.#file = file;
    this.#random = random;
    const receiver = 'http://127.0.0.1:9/';
    this.#args = ['start', '--port', '0', '--data', file, '--webhook-url', receiver, '--log-level', 'error'];
  }

  /** Starts a process and kills it. Returns the losses of the previous process. */
  async kill(): Promise<string[]> {
    const moment = MOMENTS[this.#random(MOMENTS.length)] ?? 'load';
    this.counts[moment] += 1;
    if (moment === 'start') {
      await this.#killAtStart();
      return [];
    }
    const startedAt = steadyNow();
    const running = await startProgram(...this.#args);
    this.#startMs = steadyNow() - startedAt;
    // A start writes the journal into the state file; comparing the data first would miss that checkpoint.
    const losses = moment === 'checkpoint' ? [] : await this.#compare(running.url);
    if (losses.length === 0) {
      await this.#killUnderLoad(running, moment);
      if (existsSync(`${this.#file}.new`) || existsSync(`${this.#file}.journal.new`)) {
        this.counts.midCheckpoint += 1;
      }
    } else {
      await running.end('SIGKILL');
    }
    return losses;
  }

  /** Starts a process and stops it. Returns the losses of the previous process, and the exit code. */
  async stop(): Promise<{ lost: string[]; code: number | null }> {
    const running = await startProgram(...this.#args);
    return { lost: await this.#compare(running.url), code: await running.end('SIGTERM') };
  }

  /** The losses of a running sandbox. */
  async #compare(url: string): Promise<string[]> {
    const losses = await Promise.all(
      this.#sessions.map(async (session) => {
        const answer = await fetch(`${url}/s/${session.name}/_sandbox/state`);
        // The session was deleted, or no call created it in time.
        const hasState = answer.status !== 404;
        return session.compare(hasState ? ((await answer.json()) as CheckedState) : { state: { counters: {} } });
      }),
    );
    return losses.flat();
  }

  async #killAtStart(): Promise<void> {
    const child = spawnProgram(this.#args);
    const ended = once(child, 'close');
    await delay(this.#random(this.#startMs));
    child.kill('SIGKILL');
    await ended;
  }

  async #killUnderLoad({ url, child }: Running, moment: Moment): Promise<void> {
    const ended = once(child, 'close');
    let remaining = moment === 'checkpoint' ? 1 + this.#random(4) : 1 + this.#random(60);
    const kill = async () => {
      if (moment === 'stop') {
        child.kill('SIGTERM');
      }
      if (moment !== 'load' && moment !== 'checkpoint') {
        await delay(this.#random(moment === 'stop' ? 60 : 8));
      }
      child.kill('SIGKILL');
    };
    const onAnswer = () => {
      this.counts.answered += 1;
      remaining -= 1;
      return remaining <= 0;
    };
    await Promise.all(
      this.#sessions.map((session) => this.#load(new Caller(url, session, this.#newReference), moment, onAnswer, kill)),
    );
    await ended;
  }

  /** Calls until the process stops answering. It is killed when `onAnswer` returns true. */
  async #load(caller: Caller, moment: Moment, onAnswer: () => boolean, kill: () => Promise<void>): Promise<void> {
    for (;;) {
      const calls = Array.from({ length: 1 + this.#random(5) }, () =>
        this.#random(3) === 0 ? caller.settle() : caller.pay(),
      );
      let isKillDue = false;
      const areAnswered = await Promise.all(
        calls.map(async (call) => {
          const isAnswered = await call;
          isKillDue = (isAnswered && onAnswer()) || isKillDue;
          return isAnswered;
        }),
      );
      if (areAnswered.includes(false)) {
        return;
      }
      if (isKillDue) {
        const replacement = caller.replaceRecords(moment);
        await kill();
        await replacement;
        return;
      }
    }
  }
}

/** Calls one session, and records the answers. Each call resolves with whether it was answered. */
class Caller {
  readonly #url: string;
  readonly #session: ExpectedSession;
  readonly #newReference: () => string;

  constructor(url: string, session: ExpectedSession, newReference: () => string) {
    this.#newReference = newReference;
    this.#url = `${url}/s/${session.name}`;
    this.#session = session;
  }

  async pay(): Promise<boolean> {
    const payerReference = this.#newReference();
    this.#session.setStage(payerReference, 'requested');
    const body = { ...exampleOf('requests/single-payment'), payerReference, walletName: 'WALLET_QR' };
    const isAnswered = await this.#call('POST', '/sandbox/init/authenticate/merchant/wallet', body);
    if (isAnswered) {
      this.#session.setStage(payerReference, 'created');
    }
    return isAnswered;
  }

  /** Decides a payment, or creates one when every payment is decided. */
  async settle(): Promise<boolean> {
    const payerReference = this.#session.undecidedPayment;
    if (payerReference === undefined) {
      return this.pay();
    }
    this.#session.setStage(payerReference, 'deciding');
    const isAnswered = await this.#call('POST', `/_sandbox/payments/${payerReference}/settle`, { outcome: 'Paid' });
    if (isAnswered) {
      this.#session.setStage(payerReference, 'decided');
    }
    return isAnswered;
  }

  /** Removes all records in one change, or restores those of a moment ago. */
  async replaceRecords(moment: Moment): Promise<void> {
    if (moment === 'reset') {
      await this.#replace('POST', '/_sandbox/reset');
    } else if (moment === 'deletion') {
      await this.#replace('DELETE', `/_sandbox/sessions/${this.#session.name}`);
    } else if (moment === 'restore') {
      await this.#restore();
    }
  }

  async #restore(): Promise<void> {
    try {
      const before = this.#session.payments;
      const answer = await fetch(`${this.#url}/_sandbox/state`);
      if (answer.status === 404) {
        return;
      }
      const state = await answer.json();
      if (await this.pay()) {
        await this.#replace('PUT', '/_sandbox/state', state, before);
      }
    } catch {
      // The sandbox was killed before it returned its state.
    }
  }

  async #replace(
    method: string,
    path: string,
    body?: unknown,
    replacement = new Map() as ExpectedSession['payments'],
  ): Promise<void> {
    this.#session.beginReplacement(replacement);
    if (await this.#call(method, path, body)) {
      this.#session.confirmReplacement();
    }
  }

  async #call(method: string, path: string, body?: unknown): Promise<boolean> {
    const content =
      body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    let status: number;
    let text: string;
    try {
      const answer = await fetch(this.#url + path, { method, ...content });
      status = answer.status;
      text = await answer.text();
    } catch {
      return false;
    }
    if (status >= 300 && !INTERRUPTED_STATUSES.includes(status)) {
      throw new Error(`${method} ${path} was answered with ${status}: ${text}`);
    }
    return status < 300;
  }
}
