import { createHmac, timingSafeEqual } from 'node:crypto';
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { nanoid } from 'nanoid';
import { ConnectionPool } from '../../base/connection-pool.ts';
import { sendRequest } from '../../base/outbound.ts';
import { startTimeout } from '../../base/timers.ts';
import { onClosed } from '../../server/http/connection.ts';
import { EVENT_STREAM_TYPE, endWithClient } from '../../server/http/event-stream.ts';

/** Marks a call that another node of the same sandbox forwarded, because the session is not there. */
const FORWARDED_HEADER = 'x-sandbox-forwarded';
/** Marks an answer of a node, because any other server may be at a wrong address. */
const ANSWERED_HEADER = 'x-sandbox-answered';
type ProofHeader = typeof FORWARDED_HEADER | typeof ANSWERED_HEADER;
/** Headers that are not forwarded, because they apply to a single connection or to the pair of nodes. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'expect', 'upgrade'],
  ...[FORWARDED_HEADER, ANSWERED_HEADER],
]);
/** A caller with HTTP/1.0 accepts no chunks. */
const HOP_BY_HOP_IN_ANSWERS: ReadonlySet<string> = new Set([...HOP_BY_HOP, 'transfer-encoding']);
const MOVED_STATUS = 503;

/** Lets a node recognize its own call. */
const PROBE_HEADER = 'x-sandbox-look';
const PROBE_PATH = '/_sandbox/health/live';
const PROBE_TIMEOUT_MS = 2000;

/** Real milliseconds until an answer must have begun: longer than any move of a clock should take. */
const MAX_WAIT_MS = 15 * 60_000;

/** After `onMoved`, the caller gets the other node's answer; each other callback must answer the caller, because that node did not. */
interface OutcomeCallbacks {
  onMoved(): void;
  onUnreachable(): void;
  onUnanswered(): void;
  onForeignServer(): void;
}

/** Forwards calls unchanged to the node that has their session: bodies, answers, event streams. */
export class Forwarder {
  readonly #connections = new ConnectionPool();
  readonly #proofs: Readonly<Record<ProofHeader, string>>;
  /** Calls that this node sent to its own address, with the callback for their arrival. */
  readonly #probes = new Map<string, () => void>();
  /** Calls that another node has not completely answered, each with a function that aborts it. */
  readonly #forwardedCalls = new Map<IncomingMessage, { address: string; abort(): void }>();

  /** The key is the secret that all nodes share. */
  constructor(key: Uint8Array) {
    const proof = (text: string) => createHmac('sha256', key).update(text).digest('base64url');
    this.#proofs = { [FORWARDED_HEADER]: proof('forwarded by a node'), [ANSWERED_HEADER]: proof('answered by a node') };
  }

  /** Removes the headers that only nodes send, so that no later code sees them. Returns whether another node forwarded the call. */
  takeNodeHeaders(request: IncomingMessage): boolean {
    const { [FORWARDED_HEADER]: proof, [PROBE_HEADER]: probe } = request.headers;
    delete request.headers[FORWARDED_HEADER];
    if (probe !== undefined) {
      delete request.headers[PROBE_HEADER];
      this.#probes.get(String(probe))?.();
    }
    return proof !== undefined && this.#isProof(FORWARDED_HEADER, proof);
  }

  /** Marks the answer, so that the node that forwarded the call accepts it. */
  sign(response: ServerResponse): void {
    response.setHeader(ANSWERED_HEADER, this.#proofs[ANSWERED_HEADER]);
  }

  /** Whether a call to an address arrives at this process. The call contains no proof, because another server may be there. */
  async reachesItself(address: string): Promise<boolean> {
    const probe = nanoid();
    const arrival = new Promise<true>((resolve) => this.#probes.set(probe, () => resolve(true)));
    const request = { headers: { [PROBE_HEADER]: probe }, timeoutMs: PROBE_TIMEOUT_MS };
    const requestEnd = sendRequest(`${address}${PROBE_PATH}`, request, (answer) => {
      answer.destroy();
    }).catch(() => undefined);
    const hasArrived = await Promise.race([arrival, requestEnd]);
    this.#probes.delete(probe);
    return hasArrived === true;
  }

  /**
   * Calls `onMoved` for an answer 503, because that node may no longer have the session; `onUnreachable` if no connection opened;
   * `onUnanswered` if no answer began in time or before an abort; `onForeignServer` if no node is at the address. If an open connection
   * breaks, or the call fails after its answer has begun, closes the connection to the caller instead.
   */
  forward(
    request: IncomingMessage,
    response: ServerResponse,
    address: string,
    { onMoved, onUnreachable, onUnanswered, onForeignServer }: OutcomeCallbacks,
  ): void {
    const { method, url: path } = request;
    const headers = [...outgoingHeaders(request), FORWARDED_HEADER, this.#proofs[FORWARDED_HEADER]];
    const agent = this.#connections.agentFor('http:');
    const outgoing = httpRequest(address, { agent, method, path, headers, setHost: false });
    // Before it is connected, no part of the call was sent; afterwards, the node may have received it even if there is an error.
    let isConnected = false;
    const onConnected = () => {
      isConnected = true;
    };
    outgoing.on('socket', (socket) => (socket.connecting ? socket.once('connect', onConnected) : onConnected()));
    outgoing.on('response', (answer) => {
      cancelTimeout();
      this.#connections.learnFrom(answer);
      if (!this.#isProof(ANSWERED_HEADER, answer.headers[ANSWERED_HEADER] ?? '')) {
        refuseForeignServer();
        return;
      }
      if (answer.statusCode === MOVED_STATUS) {
        onMoved();
      }
      response.sendDate = false;
      const headersBack = headersWithout(HOP_BY_HOP_IN_ANSWERS, answer.rawHeaders);
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? '', headersBack);
      response.flushHeaders();
      if (answer.headers['content-type'] === EVENT_STREAM_TYPE) {
        // The node that has the session ends the stream, after its last event.
        endWithClient(response, () => outgoing.socket?.end());
      }
      pipeline(answer, response, () => undefined);
    });
    const refuse = (answer: () => void) => {
      if (response.headersSent) {
        response.destroy();
      } else {
        request.unpipe(outgoing);
        // Otherwise the request stays paused, and a later reader never reaches its end.
        request.resume();
        answer();
      }
    };
    const refuseForeignServer = () => {
      if (this.#forwardedCalls.has(request)) {
        end();
        refuse(onForeignServer);
      }
    };
    const end = () => {
      cancelTimeout();
      this.#forwardedCalls.delete(request);
      outgoing.destroy();
    };
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      if (!this.#forwardedCalls.has(request)) {
        return;
      }
      if (!isConnected) {
        refuse(onUnreachable);
      } else if (error.code?.startsWith('HPE_')) {
        // The answer is not HTTP.
        refuseForeignServer();
      } else {
        // The caller sees the same as a direct caller of that node: a broken connection.
        response.destroy();
      }
    });
    // Nodes neither send informational answers nor change the protocol.
    outgoing.on('information', refuseForeignServer).on('upgrade', (_answer, socket) => {
      socket.destroy();
      refuseForeignServer();
    });
    const abort = () => {
      end();
      refuse(onUnanswered);
    };
    const cancelTimeout = startTimeout(MAX_WAIT_MS, abort);
    this.#forwardedCalls.set(request, { address, abort });
    request.pipe(outgoing);
    onClosed(response, end);
  }

  /** Aborts calls to nodes that are not alive, because a suspended node accepts connections but never answers. */
  abortCallsExceptTo(addresses: readonly string[]): void {
    for (const { address, abort } of this.#forwardedCalls.values()) {
      if (!addresses.includes(address)) {
        abort();
      }
    }
  }

  close(): void {
    this.#connections.close();
  }

  #isProof(header: ProofHeader, proof: string | string[]): boolean {
    const [received, expected] = [Buffer.from(String(proof)), Buffer.from(this.#proofs[header])];
    return received.length === expected.length && timingSafeEqual(received, expected);
  }
}

/** Adds an empty Host header to an HTTP/1.0 call without one: nodes use HTTP/1.1, where it means the same (RFC 9112, 3.2). */
function outgoingHeaders({ headers, rawHeaders }: IncomingMessage): string[] {
  return [...headersWithout(HOP_BY_HOP, rawHeaders), ...(headers.host === undefined ? ['Host', ''] : [])];
}

function headersWithout(omitted: ReadonlySet<string>, rawHeaders: readonly string[]): string[] {
  const headers: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    if (!omitted.has(name.toLowerCase())) {
      headers.push(name, value);
    }
  }
  return headers;
}
