import { type AgentOptions, Agent as HttpAgent, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Duplex } from 'node:stream';

type Agents = { http: HttpAgent; https: HttpsAgent };

/** Shorter than most servers wait (Node.js: five seconds), because they may close an idle connection just as a request is sent. */
const MAX_IDLE_MS = 1000;
/** How much earlier a connection is closed than the server announces. */
const MARGIN_MS = 500;

/** Keeps connections open for a short time, for the next request. */
export class ConnectionPool {
  readonly #kept: Agents;
  readonly #fresh: Agents;
  /** How long each connection may be idle after its last answer; 0 or less if it must not be used again. */
  readonly #idleMs = new WeakMap<Duplex, number>();

  constructor(lookup?: LookupFunction) {
    const options = lookup ? { lookup } : {};
    this.#kept = createAgents({ ...options, keepAlive: true });
    this.#fresh = createAgents({ ...options, keepAlive: false });
    for (const agent of Object.values(this.#kept)) {
      this.#limitIdleTime(agent);
    }
  }

  agentFor(protocol: string, { isFresh = false } = {}): HttpAgent {
    const { http, https } = isFresh ? this.#fresh : this.#kept;
    return protocol === 'https:' ? https : http;
  }

  /** Reads from an answer how long its connection may be idle afterwards. */
  learnFrom({ socket, headers, statusCode = 0 }: IncomingMessage): void {
    const announced = /\btimeout=(\d+)/i.exec(String(headers['keep-alive'] ?? ''))?.[1];
    const limit = announced === undefined ? MAX_IDLE_MS : Number(announced) * 1000 - MARGIN_MS;
    this.#idleMs.set(socket, hasForbiddenBody(statusCode, headers) ? 0 : Math.min(limit, MAX_IDLE_MS));
  }

  close(): void {
    for (const agent of [...Object.values(this.#kept), ...Object.values(this.#fresh)]) {
      agent.destroy();
    }
  }

  #limitIdleTime(agent: HttpAgent): void {
    const [keep, reuse] = [agent.keepSocketAlive.bind(agent), agent.reuseSocket.bind(agent)];
    // Bytes that arrive now belong to no request, and would be read as the next answer.
    const onUnexpected = function (this: Duplex) {
      this.destroy();
    };
    agent.keepSocketAlive = (socket: Duplex) => {
      const idleMs = this.#idleMs.get(socket) ?? MAX_IDLE_MS;
      // The types say that it returns nothing, but it returns whether the connection is kept.
      if (idleMs <= 0 || (keep(socket) as unknown) === false) {
        return false;
      }
      setIdleTimeout(socket, idleMs);
      socket.on('data', onUnexpected);
      return true;
    };
    agent.reuseSocket = (socket: Duplex, request) => {
      socket.off('data', onUnexpected);
      setIdleTimeout(socket, 0);
      reuse(socket, request);
    };
  }
}

function createAgents(options: AgentOptions): Agents {
  return { http: new HttpAgent(options), https: new HttpsAgent(options) };
}

/** The agent closes an idle connection when its socket times out. */
function setIdleTimeout(socket: Duplex, milliseconds: number): void {
  if ('setTimeout' in socket && typeof socket.setTimeout === 'function') {
    socket.setTimeout(milliseconds);
  }
}

/** Whether an answer announces a body that its status forbids: some servers send it nevertheless. */
function hasForbiddenBody(status: number, headers: IncomingMessage['headers']): boolean {
  const isBodyless = status === 204 || status === 304;
  return isBodyless && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0);
}
