import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import type { Attack } from './attack.ts';

/** How long an answer may take, in milliseconds. */
const HANG_MS = 2000;
/** What only a stack trace, or a path of this machine, looks like. */
export const TRACE = /\n\s*at \S+ \(|node_modules|file:\/\/|\.tsx?:\d+/;

export interface Shot {
  status: number;
  type: string;
  text: string;
  /** What a scenario did, or why the sandbox refused. */
  outcome: string;
}

/** Sends requests over connections that are kept open. */
export class Gun {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 4 });
  readonly #url: URL;

  constructor(url: string) {
    this.#url = new URL(url);
  }

  close(): void {
    this.#agent.destroy();
  }

  /** Resolves with the answer, of a stream with its beginning. Rejects where there is none, or none in time. */
  shoot({ method, path, headers, body }: Attack): Promise<Shot> {
    const { hostname, port } = this.#url;
    return new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const options = { hostname, port, method, path, headers: { ...headers, ...length }, agent: this.#agent };
      const call = request(options, (response) => {
        const { statusCode: status = 0, headers: came } = response;
        const type = String(came['content-type'] ?? '');
        const outcome = String(came['x-sandbox-outcome'] ?? '');
        const chunks: Buffer[] = [];
        const done = () => {
          clearTimeout(timer);
          resolve({ status, type, outcome, text: Buffer.concat(chunks).toString() });
        };
        if (type.startsWith('text/event-stream') && method !== 'HEAD') {
          done();
          call.destroy();
          return;
        }
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', done);
      });
      const timer = setTimeout(() => call.destroy(new Error(`no answer within ${HANG_MS} ms`)), HANG_MS);
      call.on('error', (error) => {
        clearTimeout(timer);
        reject(error);
      });
      call.on('continue', () => call.end(body));
      if (headers['expect'] === undefined) {
        call.end(body);
      } else {
        call.flushHeaders();
      }
    });
  }
}

/** What is wrong with an answer, whatever it answers; undefined where nothing is. */
export function faultIn({ path, method }: Attack, { status, type, text, outcome }: Shot): string | undefined {
  if (status >= 500 && !/^rule \d/.test(outcome)) {
    return `it answered ${status}: ${text.slice(0, 500)}`;
  }
  if (TRACE.test(text)) {
    return `it told of the code: ${text.slice(0, 500)}`;
  }
  const form = formOf(path);
  return status < 400 || type.startsWith(form) || status === 431 || (method === 'HEAD' && type === '')
    ? undefined
    : `it refused in ${type || 'no type'} where ${form} was due (${status})`;
}

/** How the entry point that a path leads to says no. */
function formOf(path: string): string {
  const [, within = path] = /^\/s\/[^/?]+(.*)$/.exec(path) ?? [];
  if (/^\/_sandbox(?=[/?]|$)/i.test(within)) {
    return 'application/problem+json';
  }
  return /^\/pay(?=[/?]|$)/i.test(within) ? 'text/html' : 'text/plain';
}

/** What comes back for bytes that may be no request at all, after which the client says that it has no more to send. */
export function answerTo(url: string, bytes: Buffer): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.end(bytes));
    const timer = setTimeout(() => reject(new Error(`no end within ${HANG_MS} ms`)), HANG_MS);
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    // A connection that is cut has been answered, too.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(answer);
    });
  });
}
