import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Refusal } from '../refusal.ts';

/** Which addresses notifications may go to. */
export interface GuardRules {
  /** The sandbox is reachable from other machines: what it calls could be steered by them. */
  isExposed: boolean;
  /** Host names and addresses that may be called all the same. */
  allowedHosts: readonly string[];
}

/** Services that hand out a machine's credentials, where they stand outside the link-local range. */
const METADATA = new Set(['100.100.100.200', 'fd00:ec2::254']);
/** Where an IPv6 address that stands for an IPv4 one carries it: the first of its four bytes. */
const EMBEDDED: Readonly<Record<string, number>> = { rfc6052: 12, '6to4': 2 };

/** Refuses an address that must not be called, naming the rule. What a name stands for is checked when it is connected to. */
export function checkTarget(address: string, rules: GuardRules): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw refusal(address, 'only http and https are called');
  }
  if (url.username !== '' || url.password !== '') {
    throw refusal(address, 'an address must not carry credentials');
  }
  const host = url.hostname.replace(/^\[|\]$|\.$/g, '');
  const problem = ipaddr.isValid(host) ? problemWith(host, host, rules) : null;
  if (problem !== null) {
    throw refusal(address, problem);
  }
  return url;
}

/** A name lookup that fails for addresses that must not be called; what is connected to is what was checked. */
export function guardedLookup(rules: GuardRules): LookupFunction {
  return (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error) {
        done(error, []);
        return;
      }
      for (const { address } of addresses) {
        const problem = problemWith(address, host, rules);
        if (problem !== null) {
          done(new Error(problem), []);
          return;
        }
      }
      if (options.all) {
        done(null, addresses);
      } else {
        const [first] = addresses;
        done(first ? null : new Error(`${host} has no address`), first?.address ?? '', first?.family);
      }
    });
  };
}

function problemWith(address: string, host: string, { isExposed, allowedHosts }: GuardRules): string | null {
  const meant = plainAddress(address);
  const range = meant.range();
  if (METADATA.has(meant.toString()) || range === 'linkLocal') {
    return `${address} is a link-local or metadata address, which is never called`;
  }
  if (range === 'unspecified' || range === 'multicast' || range === 'broadcast') {
    return `${address} is no address of one machine`;
  }
  const isInside =
    range === 'loopback' || range === 'private' || range === 'uniqueLocal' || range === 'carrierGradeNat';
  if (isExposed && isInside && !allowedHosts.includes(host) && !allowedHosts.includes(address)) {
    return `${address} is a ${range} address and the sandbox listens beyond loopback; allow it with --allow-webhook-host ${host}`;
  }
  return null;
}

/** The address that is reached in the end: an IPv4 one may be written as several IPv6 ones. */
function plainAddress(address: string): ipaddr.IPv4 | ipaddr.IPv6 {
  const plain = ipaddr.process(address);
  const start = EMBEDDED[plain.range()];
  return start === undefined ? plain : ipaddr.fromByteArray(plain.toByteArray().slice(start, start + 4));
}

function refusal(address: string, rule: string): Refusal {
  return new Refusal('business-rule', `${JSON.stringify(address.slice(0, 200))} cannot be notified: ${rule}`);
}
