import type { Fixtures } from '../config/fixtures.ts';
import type { Settings } from '../config/settings.ts';

/** An Express application. The type names none of Node.js, because the published types must compile without them. */
export type Application = (request: object, response: object) => void;

export interface ListeningSandbox {
  /** The same sandbox as an Express application: mount it in your own server, before body parsers, or give it to supertest. */
  app: Application;
  /** Base address, e.g. http://127.0.0.1:4100. */
  url: string;
  /** Base address over HTTPS, e.g. https://127.0.0.1:4443; undefined without `httpsPort`. */
  httpsUrl: string | undefined;
  /** The certificate, as PEM, of the CA that clients must trust for HTTPS; undefined without HTTPS, and with `tlsCert`. */
  caCertificate: string | undefined;
  /** Path of that certificate, for environment variables such as NODE_EXTRA_CA_CERTS. */
  caFile: string | undefined;
  /** Token that control calls must send; undefined on loopback, where they need none. */
  controlToken: string | undefined;
  settings: Readonly<Settings>;
  fixtures: Fixtures;
  /** The place of the data, without secrets: a path, or an address without its password. */
  shownData: string;
  /** Creates a named session if it does not exist. With a database that sandboxes share, the session's first call does that instead. */
  openSession(name: string): void;
  /** Base address of a named session, which is created on first use. */
  sessionUrl(name: string): string;
  /** Lets the process end although the sandbox is still listening. */
  unref(): void;
  /** Finishes the requests in progress (within a second), writes everything to disk, and releases the port and the file. */
  close(): Promise<void>;
}
