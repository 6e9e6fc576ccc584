import { createHmac, timingSafeEqual } from 'node:crypto';
import { Agent, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';

/** Shows that a call comes from another node of the same sandbox, which has not found its session there. */
const HEADER = 'x-sandbox-forwarded';
/** Headers that are about one connection and no more. */
const OF_CONNECTION: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'expect', 'upgrade', HEADER]);
const UNAVAILABLE = 503;
/** What the system says where nobody listens at an address. */
const UNREACHABLE: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'ENOTFOUND',
]);

/** Sends calls on to the node that has their session, as they came: bodies, answers, event streams. */
export class Forwarder {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #proof: string;
  /** Calls that another node has not answered to the end, and how each is given up. */
  readonly #underWay = new Map<IncomingMessage, { address: string; giveUp(): void }>();

  /** The key is the secret that all nodes share. */
  constructor(key: Uint8Array) {
    this.#proof = createHmac('sha256', key).update('forwarded by a node').digest('base64url');
  }

  /** Whether another node has sent the call on. What shows that is taken off: it is nobody else's business. */
  isForwarded(request: IncomingMessage): boolean {
    const shown = request.headers[HEADER];
    delete request.headers[HEADER];
    const [given, wanted] = [Buffer.from(String(shown ?? '')), Buffer.from(this.#proof)];
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  }

  /**
   * `onMoved` is called where that node has the session no more; `onUnreachable` where it has not taken the call, and
   * `onUnanswered` where it may have, so that it can be answered otherwise.
   */
  forward(
    request: IncomingMessage,
    response: ServerResponse,
    address: string,
    { onMoved, onUnreachable, onUnanswered }: { onMoved(): void; onUnreachable(): void; onUnanswered(): void },
  ): void {
    const { hostname, port } = new URL(address);
    const { method, url: path } = request;
    const headers = [...withoutConnection(request.rawHeaders), HEADER, this.#proof];
    const onward = httpRequest({ agent: this.#agent, hostname, port, method, path, headers, setHost: false });
    onward.on('response', (answer) => {
      if (answer.statusCode === UNAVAILABLE) {
        onMoved();
      }
      response.sendDate = false;
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? '', withoutConnection(answer.rawHeaders));
      response.flushHeaders();
      pipeline(answer, response, () => undefined);
    });
    const refuse = (answer: () => void) => {
      if (response.headersSent) {
        response.destroy();
      } else {
        request.unpipe(onward);
        // Whoever reads on must come to its end.
        request.resume();
        answer();
      }
    };
    const end = () => {
      this.#underWay.delete(request);
      onward.destroy();
    };
    onward.on('error', (error: NodeJS.ErrnoException) => {
      if (!this.#underWay.has(request)) {
        return;
      }
      if (UNREACHABLE.has(error.code)) {
        refuse(onUnreachable);
      } else {
        // The caller finds what a caller of that node would: a connection that breaks.
        response.destroy();
      }
    });
    const giveUp = () => {
      end();
      refuse(onUnanswered);
    };
    this.#underWay.set(request, { address, giveUp });
    response.on('close', end);
    request.pipe(onward);
  }

  /** Waits no longer for nodes that are not alive: one that stands still takes calls, and says nothing. */
  giveUpAllBut(addresses: readonly string[]): void {
    for (const { address, giveUp } of this.#underWay.values()) {
      if (!addresses.includes(address)) {
        giveUp();
      }
    }
  }

  close(): void {
    this.#agent.destroy();
  }
}

function withoutConnection(rawHeaders: readonly string[]): string[] {
  const headers: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    if (!OF_CONNECTION.has(name.toLowerCase())) {
      headers.push(name, value);
    }
  }
  return headers;
}
