import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

/** An address that only this machine can reach. */
export const LOOPBACK = '127.0.0.1';
/**
 * The wildcard addresses, to which clients on some systems cannot connect, with the addresses to use instead. Not host names,
 * because a minimal machine may not even resolve localhost.
 */
const LOOPBACK_OF: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', LOOPBACK],
  ['::', '::1'],
]);

/** Whether a server that listens at this address can be reached at every address of this machine (0.0.0.0: every IPv4 address). */
export function isWildcardAddress(host: string): boolean {
  return LOOPBACK_OF.has(host);
}

export function isLoopback(host: string): boolean {
  const name = host.toLowerCase();
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    (ipaddr.isValid(name) && ipaddr.process(name).range() === 'loopback')
  );
}

/** The address at which this machine reaches a server that listens at `host`. */
export function localAddress(host: string): string {
  return LOOPBACK_OF.get(host) ?? host;
}

/** The addresses at which other machines reach a server that listens on every address; empty if it listens on only one. */
export function machineAddresses(host: string): { address: string; family: string }[] {
  const found = isWildcardAddress(host) ? Object.values(networkInterfaces()).flatMap((each) => each ?? []) : [];
  // Without link-local addresses of IPv6, which are unusable without the name of a network interface.
  return found
    .filter(({ internal, family }) => !internal && (family === 'IPv4' || host === '::'))
    .filter(({ address }) => !address.startsWith('fe80:'));
}

export function addressOf(scheme: 'http' | 'https', host: string, port: number | string): string {
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
