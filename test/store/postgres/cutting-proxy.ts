import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Stands between a node and its database, and can swallow the next answer. */
export class CuttingProxy {
  readonly #server = createServer((socket) => this.#accept(socket));
  readonly #target: URL;
  readonly #sockets = new Set<Socket>();
  #isCutting = false;

  constructor(url: string) {
    this.#target = new URL(url);
  }

  /** The database's address by this way. */
  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const url = new URL(this.#target);
    url.port = String((this.#server.address() as AddressInfo).port);
    return url.href;
  }

  /** Breaks the connection that the database answers on next, in place of the answer. */
  cutNextAnswer(): void {
    this.#isCutting = true;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) {
      socket.destroy();
    }
  }

  #accept(socket: Socket): void {
    const onward = connect(Number(this.#target.port), this.#target.hostname);
    this.#sockets.add(socket).add(onward);
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
    socket.on('data', (data) => onward.write(data));
    onward.on('data', (data) => {
      if (this.#isCutting) {
        this.#isCutting = false;
        socket.destroy();
      } else {
        socket.write(data);
      }
    });
  }
}
