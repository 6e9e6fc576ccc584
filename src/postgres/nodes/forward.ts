import { createHmac, timingSafeEqual } from 'node:crypto';
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { nanoid } from 'nanoid';
import { KeptConnections } from '../../base/kept-connections.ts';
import { exchange } from '../../base/outbound.ts';
import { deadline } from '../../base/timers.ts';
import { onClosed } from '../../server/http/connection.ts';
import { EVENT_STREAM, endWithClient } from '../../server/http/event-stream.ts';

/** Shows that a call comes from another node of the same sandbox, which has not found its session there. */
const FORWARDED = 'x-sandbox-forwarded';
/** Shows that it was answered by a node: at a wrong address anything may answer. */
const ANSWERED = 'x-sandbox-answered';
type Shown = typeof FORWARDED | typeof ANSWERED;
/** Headers that are about one connection and no more. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'expect', 'upgrade'],
  ...[FORWARDED, ANSWERED],
]);
/** How an answer is delimited is for each connection to say: HTTP/1.0 knows no chunks. */
const OF_ANSWERS_CONNECTION: ReadonlySet<string> = new Set([...OF_CONNECTION, 'transfer-encoding']);
const UNAVAILABLE = 503;

/** Shows a node that its own call has come back. */
const LOOK = 'x-sandbox-look';
const LOOK_PATH = '/_sandbox/health/live';
const LOOK_MS = 2000;

/** Real milliseconds until an answer must have begun: longer than any move of a clock should take. */
const MAX_WAIT_MS = 15 * 60_000;

/** What may come of a call that was sent on, besides its answer. */
interface Onward {
  onMoved(): void;
  onUnreachable(): void;
  onUnanswered(): void;
  onStranger(): void;
}

/** Sends calls on to the node that has their session, as they came: bodies, answers, event streams. */
export class Forwarder {
  readonly #connections = new KeptConnections();
  readonly #proofs: Readonly<Record<Shown, string>>;
  /** Calls to an address of one's own that are to come back, and what to do then. */
  readonly #looks = new Map<string, () => void>();
  /** Calls that another node has not answered to the end, and how each is given up. */
  readonly #underWay = new Map<IncomingMessage, { address: string; giveUp(): void }>();

  /** The key is the secret that all nodes share. */
  constructor(key: Uint8Array) {
    const proof = (words: string) => createHmac('sha256', key).update(words).digest('base64url');
    this.#proofs = { [FORWARDED]: proof('forwarded by a node'), [ANSWERED]: proof('answered by a node') };
  }

  /** Whether another node has sent the call on. What shows that is taken off: it is nobody else's business. */
  isForwarded(request: IncomingMessage): boolean {
    const { [FORWARDED]: shown, [LOOK]: look } = request.headers;
    delete request.headers[FORWARDED];
    if (look !== undefined) {
      delete request.headers[LOOK];
      this.#looks.get(String(look))?.();
    }
    return shown !== undefined && this.#isProof(FORWARDED, shown);
  }

  /** Lets the node that sent a call on see that a node answers it. */
  sign(response: ServerResponse): void {
    response.setHeader(ANSWERED, this.#proofs[ANSWERED]);
  }

  /** Whether a call to an address comes to this process. Nothing of the key is shown: it may be somebody else's address. */
  async comesBack(address: string): Promise<boolean> {
    const look = nanoid();
    const back = new Promise<true>((resolve) => this.#looks.set(look, () => resolve(true)));
    const request = { headers: { [LOOK]: look }, timeoutMs: LOOK_MS };
    const ended = exchange(`${address}${LOOK_PATH}`, request, (answer) => {
      answer.destroy();
    }).catch(() => undefined);
    const isBack = await Promise.race([back, ended]);
    this.#looks.delete(look);
    return isBack === true;
  }

  /**
   * `onMoved` is called where that node has the session no more; `onUnreachable` where it has not taken the call, `onUnanswered`
   * where it may have, and `onStranger` where what answers is no node, so that it can be answered otherwise.
   */
  forward(
    request: IncomingMessage,
    response: ServerResponse,
    address: string,
    { onMoved, onUnreachable, onUnanswered, onStranger }: Onward,
  ): void {
    const { method, url: path } = request;
    const headers = [...headersOnward(request), FORWARDED, this.#proofs[FORWARDED]];
    const agent = this.#connections.agentFor('http:');
    const onward = httpRequest(address, { agent, method, path, headers, setHost: false });
    // Until then nothing of the call has left, whatever goes wrong; from then on that node may have it.
    let isConnected = false;
    const connected = () => {
      isConnected = true;
    };
    onward.on('socket', (socket) => (socket.connecting ? socket.once('connect', connected) : connected()));
    onward.on('response', (answer) => {
      cancelTimeout();
      this.#connections.learnFrom(answer);
      if (!this.#isProof(ANSWERED, answer.headers[ANSWERED] ?? '')) {
        refuseStranger();
        return;
      }
      if (answer.statusCode === UNAVAILABLE) {
        onMoved();
      }
      response.sendDate = false;
      const headersBack = headersWithout(OF_ANSWERS_CONNECTION, answer.rawHeaders);
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? '', headersBack);
      response.flushHeaders();
      if (answer.headers['content-type'] === EVENT_STREAM) {
        // The node that has the session ends the stream, after all that there is.
        endWithClient(response, () => onward.socket?.end());
      }
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
    const refuseStranger = () => {
      if (this.#underWay.has(request)) {
        end();
        refuse(onStranger);
      }
    };
    const end = () => {
      cancelTimeout();
      this.#underWay.delete(request);
      onward.destroy();
    };
    onward.on('error', (error: NodeJS.ErrnoException) => {
      if (!this.#underWay.has(request)) {
        return;
      }
      if (!isConnected) {
        refuse(onUnreachable);
      } else if (error.code?.startsWith('HPE_')) {
        // No HTTP.
        refuseStranger();
      } else {
        // The caller finds what a caller of that node would: a connection that breaks.
        response.destroy();
      }
    });
    // Nodes neither send informational answers nor change the protocol.
    onward.on('information', refuseStranger).on('upgrade', (_answer, socket) => {
      socket.destroy();
      refuseStranger();
    });
    const giveUp = () => {
      end();
      refuse(onUnanswered);
    };
    const cancelTimeout = deadline(MAX_WAIT_MS, giveUp);
    this.#underWay.set(request, { address, giveUp });
    request.pipe(onward);
    onClosed(response, end);
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
    this.#connections.close();
  }

  #isProof(header: Shown, shown: string | string[]): boolean {
    const [given, wanted] = [Buffer.from(String(shown)), Buffer.from(this.#proofs[header])];
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  }
}

/** Node.js refuses HTTP/1.1, by which nodes speak, without Host; HTTP/1.0 may leave it out, and an empty one says as much (RFC 9112, 3.2). */
function headersOnward({ headers, rawHeaders }: IncomingMessage): string[] {
  return [...headersWithout(OF_CONNECTION, rawHeaders), ...(headers.host === undefined ? ['Host', ''] : [])];
}

function headersWithout(left: ReadonlySet<string>, rawHeaders: readonly string[]): string[] {
  const headers: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    if (!left.has(name.toLowerCase())) {
      headers.push(name, value);
    }
  }
  return headers;
}
