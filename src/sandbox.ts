import type { SandboxClient } from './client/client.ts';
import type { ListeningSandbox } from './server/app/listening-sandbox.ts';

/** A sandbox that is listening, with clients for its control API. */
export interface Sandbox extends Omit<ListeningSandbox, 'openSession'> {
  /** The control API of the session `default`. */
  client: SandboxClient;
  /** The control API of a named session, which is created if it does not exist; point an integration under test to the client's `baseUrl`. */
  session(name: string): SandboxClient;
}
