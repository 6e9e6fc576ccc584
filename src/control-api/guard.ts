import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { Refusal } from '../refusal.ts';

/** Who may use the control API. */
export interface GuardSettings {
  /** Asked for when the sandbox listens beyond loopback; undefined when it does not. */
  token: string | undefined;
  /** Host names that the sandbox is reached by, besides those of loopback: the public address's. */
  hosts: readonly string[];
}

/** Whether an address or host name means this very machine. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase();
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    (ipaddr.isValid(name) && ipaddr.process(name).range() === 'loopback')
  );
}

/**
 * Lets tools in and keeps pages of other origins out: such a page either says its origin or, with its name rebound to this
 * machine, comes under a foreign host name. Throws `forbidden-origin`, or `bad-bearer` where a token is asked for.
 */
export function checkCaller(request: IncomingMessage, { token, hosts }: GuardSettings): void {
  if (token !== undefined) {
    checkToken(request, token);
    return;
  }
  const host = hostName(`http://${request.headers.host ?? ''}`);
  if (host === undefined || !(isLoopback(host) || hosts.includes(host))) {
    throw new Refusal(
      'forbidden-origin',
      `the control API does not answer under the host name ${JSON.stringify(request.headers.host ?? '')}; use 127.0.0.1 or localhost`,
    );
  }
  const { origin } = request.headers;
  if (
    origin !== undefined &&
    origin !== `http://${request.headers.host}` &&
    origin !== `https://${request.headers.host}`
  ) {
    throw new Refusal('forbidden-origin', `a page of ${JSON.stringify(origin)} cannot use the control API`);
  }
}

function checkToken(request: IncomingMessage, token: string): void {
  const header = request.headers['x-sandbox-control-token'];
  const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
  const shown = Buffer.from(typeof header === 'string' ? header : (bearer ?? ''));
  const wanted = Buffer.from(token);
  if (shown.length !== wanted.length || !timingSafeEqual(shown, wanted)) {
    throw new Refusal(
      'bad-bearer',
      'the sandbox listens beyond loopback: send its control token as X-Sandbox-Control-Token (it was printed at the start, or set by --control-token)',
    );
  }
}

function hostName(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).hostname : undefined;
}
