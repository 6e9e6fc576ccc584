import { type ClientRequest, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';

const ONE = { keepAlive: true, maxSockets: 1 };

/**
 * What is behind one connection of a caller: one connection onward, which ends as the caller's does, so that neither side sees another
 * one's life than without the recorder.
 */
export class Connection {
  readonly #socket: Socket;
  readonly #agents = { 'http:': new HttpAgent(ONE), 'https:': new HttpsAgent(ONE) };
  readonly #known = new WeakSet<Socket>();
  #underWay = 0;
  /** Whether the service ended it while no call was under way: what the caller sends now comes too late. */
  isEnded = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.once('close', () => {
      for (const agent of Object.values(this.#agents)) {
        agent.destroy();
      }
    });
  }

  agentFor(protocol: string): HttpAgent {
    return protocol === 'https:' ? this.#agents['https:'] : this.#agents['http:'];
  }

  begin(): void {
    this.#underWay += 1;
  }

  end(): void {
    this.#underWay -= 1;
  }

  /** Ends the caller's connection with the one onward, once no call is under way. */
  follow(onward: ClientRequest): void {
    onward.on('socket', (socket) => {
      if (!this.#known.has(socket)) {
        this.#known.add(socket);
        socket.once('close', () => {
          if (this.#underWay === 0) {
            this.isEnded = true;
            this.#socket.end();
          }
        });
      }
    });
  }
}
