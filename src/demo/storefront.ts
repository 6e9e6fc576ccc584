import { Worker } from 'node:worker_threads';
import { LOOPBACK } from '../base/addresses.ts';
import { PACKAGE_ROOT } from '../base/package.ts';

/** One of the example shops, unchanged; environment variables name the sandbox's address and the shop's port. */
const PROGRAM = `${PACKAGE_ROOT}examples/storefront/shop.mjs`;

/** The demo's shop, in a worker thread, so that it always ends with this process. */
export class Storefront {
  readonly url: string;
  readonly #port: number;
  #worker: Worker | undefined;

  constructor(port: number) {
    this.#port = port;
    this.url = `http://${LOOPBACK}:${port}`;
  }

  get webhookUrl(): string {
    return `${this.url}/webhook`;
  }

  /** Resolves once the shop prints something, which it does when it listens. Rejects with the error if it throws one before. */
  async open(environment: Readonly<Record<string, string>>): Promise<void> {
    const worker = new Worker(PROGRAM, { env: { ...environment, PORT: String(this.#port) }, stdout: true });
    this.#worker = worker;
    await new Promise<void>((resolve, reject) => {
      worker.once('error', reject);
      worker.stdout.once('data', () => resolve());
    });
    worker.on('error', (error) =>
      console.error('the shop stopped because of an error; merchant-sandbox demo --reset starts it again', error),
    );
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
    this.#worker = undefined;
  }
}
