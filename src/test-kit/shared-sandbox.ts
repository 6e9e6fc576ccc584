import { parseUrl } from '../base/text/url.ts';
import { unlessEmpty } from '../base/unless-empty.ts';
import { ADDRESS_VARIABLE, TOKEN_VARIABLE, tokenFrom } from '../base/variables.ts';
import { ControlError, type GivenSettings, type Sandbox, SandboxClient, startSandbox } from '../index.ts';
import type { SandboxOptions } from './options.ts';

/** A sandbox that several users in this process can share. */
export interface SharedSandbox {
  /** Base address, e.g. http://127.0.0.1:4100. */
  url: string;
  /** The control API of its session `default`. */
  client: SandboxClient;
  /** Must be called once for each acquisition. A sandbox that was started here closes after the last release. */
  release(): Promise<void>;
}

interface SandboxWithUsers {
  sandbox: Promise<Sandbox>;
  users: number;
}

/** The sandboxes of this process, by their settings as JSON. */
const sandboxes = new Map<string, SandboxWithUsers>();

/**
 * Connects to the running sandbox that the options or the environment name; otherwise starts one with these settings, or shares
 * one that this process has started with them. Rejects if no sandbox answers, if it refuses the token, or if startSandbox rejects.
 */
export async function acquireSandbox(
  { url, controlToken, settings }: SandboxOptions,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<SharedSandbox> {
  const token = unlessEmpty(controlToken) ?? tokenFrom(environment);
  const givenUrl = unlessEmpty(url);
  if (givenUrl !== undefined) {
    return connect('url', givenUrl, token);
  }
  const environmentUrl = settings === undefined ? unlessEmpty(environment[ADDRESS_VARIABLE]) : undefined;
  return environmentUrl === undefined ? start(settings ?? {}) : connect(ADDRESS_VARIABLE, environmentUrl, token);
}

async function connect(source: string, url: string, controlToken: string | undefined): Promise<SharedSandbox> {
  if (!['http:', 'https:'].includes(parseUrl(url)?.protocol ?? '')) {
    const example = 'the address of a running sandbox, such as http://127.0.0.1:4100';
    throw new TypeError(`${source} must be ${example}, not ${JSON.stringify(url)}`);
  }
  const client = new SandboxClient({ url, controlToken });
  try {
    await client.health();
    await client.list('sessions', { limit: '1' });
  } catch (cause) {
    throw new Error(wordsFor(cause, source, url), { cause });
  }
  return { url: client.baseUrl, client, release: async () => undefined };
}

function wordsFor(cause: unknown, source: string, url: string): string {
  if (!(cause instanceof ControlError)) {
    return `no sandbox answers at ${url} (from ${source}); start one there, or remove ${source} to have one started`;
  }
  return cause.status === 401
    ? `the sandbox at ${url} requires its control token: set ${TOKEN_VARIABLE} to the token that it printed when it started`
    : `the sandbox at ${url} refused the request: ${cause.message}`;
}

async function start(settings: GivenSettings): Promise<SharedSandbox> {
  const key = JSON.stringify(settings);
  const entry = sandboxes.get(key) ?? { sandbox: startSandbox(settings), users: 0 };
  sandboxes.set(key, entry);
  entry.users += 1;
  const release = async () => {
    entry.users -= 1;
    if (entry.users === 0) {
      sandboxes.delete(key);
      await (await entry.sandbox).close();
    }
  };
  try {
    const { url, client } = await entry.sandbox;
    return { url, client, release };
  } catch (error) {
    sandboxes.delete(key);
    throw error;
  }
}
