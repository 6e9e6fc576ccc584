import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** What a node has sent, and its database does not have yet. */
export interface Held {
  /** The node finds its connection cut, and nobody else. */
  cut(): void;
  /** It arrives. Resolves when the database is done with a connection that was cut. */
  letGo(): Promise<void>;
}

/** Stands between a node and its database, can swallow the next answer, and hold back what the node sends. */
export class CuttingProxy {
  readonly #server = createServer((socket) => this.#accept(socket));
  readonly #target: URL;
  readonly #sockets = new Set<Socket>();
  #isCutting = false;
  #holding: { text: string; resolve(held: Held): void } | undefined;

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

  /** Holds back what a connection sends from a text on. Resolves when there is some. */
  holdFrom(text: string): Promise<Held> {
    return new Promise((resolve) => {
      this.#holding = { text, resolve };
    });
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
    let held: Buffer[] | undefined;
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      const end = () => (held ? undefined : other.destroy());
      one.on('error', end);
      one.on('close', end);
    }
    const letGo = async () => {
      const isCut = socket.destroyed;
      for (const data of held ?? []) {
        onward.write(data);
      }
      held = undefined;
      if (isCut) {
        onward.end();
        await once(onward.resume(), 'close');
      }
    };
    socket.on('data', (data) => {
      if (!held && this.#holding && data.includes(this.#holding.text)) {
        held = [];
        this.#holding.resolve({ cut: () => socket.destroy(), letGo });
        this.#holding = undefined;
      }
      if (held) {
        held.push(data);
      } else {
        onward.write(data);
      }
    });
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
