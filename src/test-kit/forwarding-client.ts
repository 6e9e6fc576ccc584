import { SandboxClient } from '../index.ts';

/** The properties of a client that are not methods. */
const FIELDS: ReadonlySet<PropertyKey> = new Set(['session', 'baseUrl']);

/** A client that forwards to the current client of a test file. It throws if used before the tests of the file begin or after they end. */
export function forwardingClient(current: () => SandboxClient | undefined): SandboxClient {
  return new Proxy(Object.create(SandboxClient.prototype) as SandboxClient, {
    get(target, name) {
      if (!FIELDS.has(name) && (name === 'constructor' || !Object.hasOwn(SandboxClient.prototype, name))) {
        return Reflect.get(target, name);
      }
      const client = current();
      if (!client) {
        throw new Error(
          `session.${String(name)} was used before the tests of this file began or after they ended: use it only in tests and hooks`,
        );
      }
      const value: unknown = Reflect.get(client, name);
      return typeof value === 'function' ? value.bind(client) : value;
    },
  });
}
