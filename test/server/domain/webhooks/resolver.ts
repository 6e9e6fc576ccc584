import type { LookupAddress } from 'node:dns';
import { isIPv6 } from 'node:net';
import type { Resolver } from '../../../../src/server/domain/webhooks/target-guard.ts';

/** A resolver that knows only these names, so that tests do not depend on the machine's name server. */
export function resolverOf(names: Readonly<Record<string, readonly string[]>>): Resolver {
  return (host, _options, done) => {
    const addresses = (names[host] ?? []).map(
      (address): LookupAddress => ({ address, family: isIPv6(address) ? 6 : 4 }),
    );
    const error = addresses.length > 0 ? null : new Error(`getaddrinfo ENOTFOUND ${host}`);
    // Asynchronous, because a real lookup never calls back before its caller continues.
    setImmediate(done, error, addresses);
  };
}
