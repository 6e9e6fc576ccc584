import { Agent, request } from 'node:http';
import type { Attack } from './attack.ts';
import { whenOverdue } from './hang.ts';

/** Limit of processor time for a move of the clock. Its answer waits for all due jobs: up to a hundred thousand events. */
const MOVE_BUSY_MS = 30_000;
/** Matches only stack traces and paths of this machine. */
export const TRACE = /\n\s*at \S+ \(|node_modules|file:\/\/|\.tsx?:\d+/;

export interface AttackAnswer {
  status: number;
  type: string;
  text: string;
  /** The effect of a scenario, or the reason for a refusal. */
  outcome: string;
}

/** Sends requests over connections that are kept open. */
export class AttackSender {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 16 });
  readonly #hostname: string;
  readonly #port: string;

  constructor(url: string) {
    ({ hostname: this.#hostname, port: this.#port } = new URL(url));
  }

  close(): void {
    this.#agent.destroy();
  }

  /** Resolves with the answer, or with the beginning of a stream. Rejects if no answer arrives in time. */
  send({ method, path, headers, body }: Attack): Promise<AttackAnswer> {
    return new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const call = request(
        {
          hostname: this.#hostname,
          port: this.#port,
          method,
          path,
          headers: { ...headers, ...length },
          agent: this.#agent,
        },
        (response) => {
          const { statusCode: status = 0, headers: responseHeaders } = response;
          const type = String(responseHeaders['content-type'] ?? '');
          const outcome = String(responseHeaders['x-sandbox-outcome'] ?? '');
          const chunks: Buffer[] = [];
          const finish = () => {
            arrived();
            // A request that was refused before it was sent completely would keep its connection forever.
            if (!call.writableEnded) {
              call.destroy();
            }
            resolve({ status, type, outcome, text: Buffer.concat(chunks).toString() });
          };
          if (type.startsWith('text/event-stream') && method !== 'HEAD') {
            finish();
            call.destroy();
            return;
          }
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', finish);
        },
      );
      const isMove = path.includes('/_sandbox/clock');
      const arrived = whenOverdue((error) => call.destroy(error), isMove ? MOVE_BUSY_MS : undefined);
      call.on('error', (error) => {
        arrived();
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

/** The error in an answer; undefined if the answer is valid. */
export function faultIn({ path, method }: Attack, { status, type, text, outcome }: AttackAnswer): string | undefined {
  if (status >= 500 && !/^rule \d/.test(outcome)) {
    return `it answered ${status}: ${text.slice(0, 500)}`;
  }
  if (TRACE.test(text)) {
    return `it contains a stack trace: ${text.slice(0, 500)}`;
  }
  const expectedType = REFUSAL_TYPES[entryPointOf(path)];
  return status < 400 || type.startsWith(expectedType) || status === 431 || (method === 'HEAD' && type === '')
    ? undefined
    : `it refused in ${type || 'no type'} where ${expectedType} was due (${status})`;
}

export type EntryPointName = 'merchant' | 'control' | 'payer';

const REFUSAL_TYPES: Readonly<Record<EntryPointName, string>> = {
  merchant: 'text/plain',
  control: 'application/problem+json',
  payer: 'text/html',
};

/** Which entry point a path leads to. */
export function entryPointOf(path: string): EntryPointName {
  const [, within = path] = /^\/s\/[^/?]+(.*)$/.exec(path) ?? [];
  if (/^\/_sandbox(?=[/?]|$)/i.test(within)) {
    return 'control';
  }
  return /^\/pay(?=[/?]|$)/i.test(within) ? 'payer' : 'merchant';
}
