import { sendRequest } from '../../base/outbound.ts';
import { delay, steadyNow } from '../../base/timers.ts';
import { AdapterError, APP_VARIABLE } from './adapter.ts';
import { assertNotTlsError } from './certificate.ts';
import { ProcessGroup } from './process-group.ts';

/** Real milliseconds until a shop must answer after its start, and stop answering after its end. */
const START_TIMEOUT_MS = 60_000;
const END_TIMEOUT_MS = 3000;
const POLL_MS = 50;
const ANSWER_TIMEOUT_MS = 2000;

export interface ShopCommand {
  /** In the syntax of the shell. */
  command: string;
  /** The shop's address. */
  app: string;
  environment: Readonly<Record<string, string>>;
}

export class ShopProcess {
  readonly #command: ShopCommand;
  /** The time zone that it was started in; undefined for its own. */
  #zone: string | undefined;
  #group: ProcessGroup | undefined;

  constructor(command: ShopCommand) {
    this.#command = command;
  }

  /**
   * Resolves when the shop answers. Throws AdapterError if it does not, or if something answers at its address already, and the reason
   * of the signal when it fires.
   */
  async start(signal?: AbortSignal): Promise<void> {
    const { command, app, environment } = this.#command;
    if (await isAnswering(app)) {
      throw new AdapterError(`something already answers at ${app}: stop it first, so that the right shop is examined`);
    }
    const zone = this.#zone === undefined ? {} : { TZ: this.#zone };
    // An adapter that is code finds the shop's address in the environment; the shop must not.
    const env = { ...process.env, [APP_VARIABLE]: undefined, ...environment, ...zone };
    const group = new ProcessGroup(command, { stdin: 'ignore', env });
    this.#group = group;
    const startedAt = steadyNow();
    while (!(await isAnswering(app))) {
      signal?.throwIfAborted();
      if (!group.isRunning) {
        throw new AdapterError(`the shop ended${group.endText} before it answered at ${app}${group.outputText}`);
      }
      if (steadyNow() - startedAt > START_TIMEOUT_MS) {
        throw new AdapterError(`the shop did not answer at ${app} within a minute${group.outputText}`);
      }
      await delay(POLL_MS);
    }
  }

  get isRunning(): boolean {
    return this.#group?.isRunning === true;
  }

  /** Throws AdapterError if the shop has exited, or was not started. */
  assertRunning(): void {
    const group = this.#group;
    if (!group?.isRunning) {
      throw new AdapterError(`the shop ended${group?.endText ?? ''}${group?.outputText ?? ''}`);
    }
  }

  /** Throws AdapterError if the shop exits within a moment, because its connections break before its exit is reported. */
  async assertStaysRunning(): Promise<void> {
    const startedAt = steadyNow();
    while (this.isRunning && steadyNow() - startedAt < ANSWER_TIMEOUT_MS) {
      await delay(POLL_MS);
    }
    this.assertRunning();
  }

  async stop(): Promise<void> {
    await this.#group?.stop();
  }

  /** Ends the shop as a crash does. */
  async kill(): Promise<void> {
    await this.#group?.kill();
  }

  /** Lets the shop run in a time zone, by default its own: (re)starts it unless it runs there already. Throws AdapterError. */
  async runInZone(zone: string | undefined): Promise<void> {
    if (!this.isRunning || zone !== this.#zone) {
      this.#zone = zone;
      await this.restart();
    }
  }

  /** Throws AdapterError. */
  async restart(): Promise<void> {
    await this.stop();
    const startedAt = steadyNow();
    while ((await isAnswering(this.#command.app)) && steadyNow() - startedAt < END_TIMEOUT_MS) {
      await delay(POLL_MS);
    }
    await this.start();
  }
}

/** Whether anything answers HTTP at the address, with any status. Throws AdapterError for a certificate that is not trusted. */
export async function isAnswering(address: string): Promise<boolean> {
  return sendRequest(address, { timeoutMs: ANSWER_TIMEOUT_MS }, (answer) => {
    answer.destroy();
    return true;
  }).catch((error: unknown) => {
    assertNotTlsError(error);
    return false;
  });
}
