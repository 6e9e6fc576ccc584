import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Data that a node has sent, and that the proxy holds back from the database. */
export interface HeldData {
  /** Cuts only the node's end of the connection, so that the database does not notice. */
  cut(): void;
  /** Sends the data to the database. If the connection was cut, resolves once the database has closed its end. */
  resume(): Promise<void>;
}

/** A proxy between a node and its database, which can drop the next answer and hold back the node's data. */
export class CuttingProxy {
  readonly #server = createServer((socket) => this.#accept(socket));
  readonly #target: URL;
  readonly #sockets = new Set<Socket>();
  #isCutting = false;
  #expected: { text: string; resolve(held: HeldData): void } | undefined;

  constructor(url: string) {
    this.#target = new URL(url);
  }

  /** Resolves with the database's address through the proxy. */
  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const url = new URL(this.#target);
    url.port = String((this.#server.address() as AddressInfo).port);
    return url.href;
  }

  /** Cuts the connection on which the next answer of the database arrives, and drops the answer. */
  cutNextAnswer(): void {
    this.#isCutting = true;
  }

  /** Holds back all that a node sends on one connection, starting with the first chunk that contains a text; resolves when that arrives. */
  holdFrom(text: string): Promise<HeldData> {
    return new Promise((resolve) => {
      this.#expected = { text, resolve };
    });
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) {
      socket.destroy();
    }
  }

  #accept(socket: Socket): void {
    const toDatabase = connect(Number(this.#target.port), this.#target.hostname);
    this.#sockets.add(socket).add(toDatabase);
    let heldChunks: Buffer[] | undefined;
    for (const [one, other] of [
      [socket, toDatabase],
      [toDatabase, socket],
    ] as const) {
      const end = () => (heldChunks ? undefined : other.destroy());
      one.on('error', end);
      one.on('close', end);
    }
    const resume = async () => {
      const isCut = socket.destroyed;
      for (const data of heldChunks ?? []) {
        toDatabase.write(data);
      }
      heldChunks = undefined;
      if (isCut) {
        toDatabase.end();
        await once(toDatabase.resume(), 'close');
      }
    };
    socket.on('data', (data) => {
      if (!heldChunks && this.#expected && data.includes(this.#expected.text)) {
        heldChunks = [];
        this.#expected.resolve({ cut: () => socket.destroy(), resume });
        this.#expected = undefined;
      }
      if (heldChunks) {
        heldChunks.push(data);
      } else {
        toDatabase.write(data);
      }
    });
    toDatabase.on('data', (data) => {
      if (this.#isCutting) {
        this.#isCutting = false;
        socket.destroy();
      } else {
        socket.write(data);
      }
    });
  }
}
