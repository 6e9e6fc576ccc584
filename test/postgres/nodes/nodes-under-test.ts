import { startPostgres } from '../../../scripts/postgres/server.mjs';
import type { Settings } from '../../../src/server/config/settings.ts';
import { exampleOf } from '../../interface/examples.ts';
import { LONG_WAIT } from '../../long-wait.ts';
import { type Running, startProgram } from '../../running.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';

/** Starts the nodes of a test file and their databases, and ends them after each test. */
export class NodesUnderTest {
  readonly #sandboxes = new Set<Sandbox>();
  readonly #programs = new Set<Running>();
  #server: Awaited<ReturnType<typeof startPostgres>> | undefined;

  constructor() {
    beforeAll(async () => {
      this.#server = await startPostgres({ fsync: false });
    });
    afterEach(async () => {
      await Promise.all([...this.#sandboxes].map((sandbox) => this.close(sandbox)));
      await Promise.all([...this.#programs].map((program) => this.kill(program)));
    });
    afterAll(() => this.#server?.stop());
  }

  newDatabase(): Promise<string> {
    if (!this.#server) {
      throw new Error('the server is started before the first test');
    }
    return this.#server.newDatabase();
  }

  /** Starts a node in this process, with a lease that it renews in time even on a busy machine. */
  async start(data: string, settings: Partial<Settings> = {}): Promise<Sandbox> {
    const sandbox = await startSandbox({ data, nodeLease: LONG_WAIT.timeout, ...settings });
    this.#sandboxes.add(sandbox);
    return sandbox;
  }

  async close(sandbox: Sandbox): Promise<void> {
    this.#sandboxes.delete(sandbox);
    await sandbox.close();
  }

  /** Starts two nodes that share a new database. */
  async startPair(settings: Partial<Settings> = {}): Promise<[Sandbox, Sandbox]> {
    const data = await this.newDatabase();
    return [await this.start(data, settings), await this.start(data, settings)];
  }

  /** Kills a node's process, so that it cannot hand its sessions over. */
  async kill(program: Running): Promise<void> {
    this.#programs.delete(program);
    await program.end('SIGKILL');
  }

  async startProgram(data: string, ...flags: string[]): Promise<Running> {
    const program = await startProgram('start', '--port', '0', '--data', data, ...flags);
    this.#programs.add(program);
    return program;
  }
}

/** Initiates a mobile-money payment at a session's base address. */
export async function pay(base: string, payerReference = 'ORDER-1'): Promise<Response> {
  return fetch(`${base}/sandbox/init/authenticate/merchant/wallet`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: paymentBody(payerReference),
  });
}

export function paymentBody(payerReference: string): string {
  const facts = { walletName: 'WALLET_MOBILE', payerMobile: '263770000001', payerReference };
  return JSON.stringify(exampleOf('requests/single-payment', facts));
}

/** The merchant's references of a session's payments, oldest first. */
export async function referencesAt(base: string): Promise<string[]> {
  const answer = await withRetries(() => fetch(`${base}/_sandbox/payments?limit=1000&order=oldest`));
  const { items } = (await answer.json()) as { items: { payerReference: string }[] };
  return items.map(({ payerReference }) => payerReference);
}

/** Pays as clients should: repeats a call that had no effect, and first queries the status if its outcome is unknown. */
export async function payWithRetries(base: string, payerReference = 'ORDER-1'): Promise<Response> {
  const answer = await withRetries(() => pay(base, payerReference));
  if (answer.status !== 504) {
    return answer;
  }
  const response = await withRetries(() => fetch(`${base}/_sandbox/payments/${payerReference}`));
  return response.status === 404 ? payWithRetries(base, payerReference) : response;
}

/** Retries, as clients should, while the session moves from one node to another. */
export async function withRetries(call: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const answer = await call();
    if (answer.status !== 503 || answer.headers.get('retry-after') === null) {
      return answer;
    }
    await answer.text();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
