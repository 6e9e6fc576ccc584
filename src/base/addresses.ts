import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

/** Where this machine alone reaches a server. */
export const LOOPBACK = '127.0.0.1';
/**
 * What "every address of this machine" is written as, which nobody can be sent to, and what this machine reaches it by: no name,
 * since a bare machine knows none, not even localhost.
 */
const LOOPBACK_OF: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', LOOPBACK],
  ['::', '::1'],
]);

/** Whether a server that listens there can be reached by every address of this machine. */
export function isAnyAddress(host: string): boolean {
  return LOOPBACK_OF.has(host);
}

/** Whether an address or host name means this very machine. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase();
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    (ipaddr.isValid(name) && ipaddr.process(name).range() === 'loopback')
  );
}

/** Where this machine reaches a server that listens there. */
export function localAddress(host: string): string {
  return LOOPBACK_OF.get(host) ?? host;
}

/** Where other machines reach a server that listens on every address; nothing where it listens on one. */
export function machineAddresses(host: string): { address: string; family: string }[] {
  const found = isAnyAddress(host) ? Object.values(networkInterfaces()).flatMap((each) => each ?? []) : [];
  return found
    .filter(({ internal, family }) => !internal && (family === 'IPv4' || host === '::'))
    .filter(({ address }) => !address.startsWith('fe80:'));
}

/** The address of a server as a browser takes it. */
export function addressOf(scheme: 'http' | 'https', host: string, port: number | string): string {
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
