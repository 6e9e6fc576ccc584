import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { redactCredentials } from '../../../base/masking/redact.ts';
import { Refusal } from '../../../base/refusal.ts';
import { hostOf, parseUrl } from '../../../base/text/url.ts';

export type Resolver = (
  host: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface GuardRules {
  /** Whether other machines can reach the sandbox: they could then choose the addresses that it calls. */
  isExposed: boolean;
  /** Private host names and addresses that may be called even if the sandbox is exposed; metadata services still may not. */
  allowedHosts: readonly string[];
}

/** Metadata services, which return a machine's credentials, by address and by name; several are outside the link-local range. */
const METADATA_HOSTS: ReadonlySet<string> = new Set([
  ...['168.63.129.16', '100.100.100.200', '192.0.0.192'],
  ...['fd00:ec2::254', 'fd20:ce::254', 'fd00:42::42'],
  ...['metadata', 'metadata.google.internal', 'metadata.goog', 'instance-data', 'instance-data.ec2.internal'],
  ...['metadata.azure.internal', 'metadata.tencentyun.com', 'metadata.packet.net', 'metadata.platformequinix.com'],
]);
/** Ranges whose addresses do not belong to a single machine. */
const FORBIDDEN_RANGES: ReadonlySet<string> = new Set(['unspecified', 'broadcast', 'multicast']);
/** Offset of the IPv4 address in IPv6 addresses that are translated to it, by kind. `ipaddr.process` converts mapped addresses. */
const IPV4_OFFSETS: Readonly<Record<string, number>> = { rfc6145: 12, rfc6052: 12, '6to4': 2, ipv4Compatible: 12 };
/** A deprecated way to write an IPv4 address as an IPv6 one, which the library does not recognize. */
const IPV4_COMPATIBLE = ipaddr.IPv6.parseCIDR('::/96');

/** Throws `business-rule`, naming the rule. The addresses of a host name are checked when a connection is opened. */
export function checkTarget(address: string, rules: GuardRules): URL {
  const url = parseUrl(address);
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw refusal(address, 'only http and https addresses are supported');
  }
  if (url.username !== '' || url.password !== '') {
    throw refusal(address, 'an address must not contain credentials');
  }
  const host = hostOf(url).replace(/\.+$/, '');
  if (METADATA_HOSTS.has(host.toLowerCase())) {
    throw refusal(address, 'metadata services are never called');
  }
  const problem = ipaddr.isValid(host) ? describeProblem(host, host, rules) : null;
  if (problem !== null) {
    throw refusal(address, problem);
  }
  return url;
}

/** Fails for forbidden addresses. The connection itself uses this lookup, so that no unchecked address is reached. */
export function guardedLookup(rules: GuardRules, resolver: Resolver = lookup): LookupFunction {
  return (host, options, callback) => {
    resolver(host, { ...options, all: true }, (error, addresses) => {
      if (error) {
        callback(error, []);
        return;
      }
      for (const { address } of addresses) {
        const problem = describeProblem(address, host, rules);
        if (problem !== null) {
          callback(new Error(problem), []);
          return;
        }
      }
      if (options.all) {
        callback(null, addresses);
      } else {
        const [first] = addresses;
        callback(first ? null : new Error(`${host} has no address`), first?.address ?? '', first?.family);
      }
    });
  };
}

function describeProblem(address: string, host: string, { isExposed, allowedHosts }: GuardRules): string | null {
  const target = reachedAddress(address);
  const range = target.range();
  if (METADATA_HOSTS.has(target.toString()) || range === 'linkLocal') {
    return `${address} is a link-local or metadata address, which is never called`;
  }
  if (FORBIDDEN_RANGES.has(range)) {
    return `${address} is not the address of a single machine`;
  }
  // An address that is not public may belong to the internal network.
  if (isExposed && range !== 'unicast' && !allowedHosts.includes(host) && !allowedHosts.includes(address)) {
    return `${address} is a ${range} address and the sandbox listens beyond loopback; allow it with --allow-webhook-host ${host}`;
  }
  return null;
}

/** The address that is reached: several IPv6 forms are translated to an IPv4 address. */
function reachedAddress(address: string): ipaddr.IPv4 | ipaddr.IPv6 {
  const normalized = ipaddr.process(address);
  const start = IPV4_OFFSETS[rangeOf(normalized)];
  return start === undefined ? normalized : ipaddr.fromByteArray(normalized.toByteArray().slice(start, start + 4));
}

function rangeOf(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  const range = address.range();
  const isCompatible = range === 'unicast' && address instanceof ipaddr.IPv6 && address.match(IPV4_COMPATIBLE);
  return isCompatible ? 'ipv4Compatible' : range;
}

function refusal(address: string, rule: string): Refusal {
  return new Refusal(
    'business-rule',
    `${JSON.stringify(redactCredentials(address).slice(0, 200))} cannot be notified: ${rule}`,
  );
}
