import { createServer } from 'node:net';
import { Worker } from 'node:worker_threads';
import { PACKAGE_ROOT } from '../base/package.ts';

/** One of the reference shops, as it is: a program that is told by its environment where to pay and where to listen. */
const PROGRAM = `${PACKAGE_ROOT}examples/storefront/shop.mjs`;
const LOOPBACK = '127.0.0.1';

/** The demo's shop, in a thread of its own: it ends with this process, however that ends. */
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

  /** Resolves once it listens. Rejects with what kept it from that. */
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

/** The port itself where nobody listens at it on loopback, and for 0 a free one. Rejects with the error of listening. */
export function freePort(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, LOOPBACK, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : port));
    });
  });
}
