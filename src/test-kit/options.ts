import { guessOrList } from '../base/text/nearest.ts';
import { unlessEmpty } from '../base/unless-empty.ts';
import type { GivenSettings } from '../index.ts';

/** Options of useSandbox. */
export interface SandboxOptions {
  /** `file` (default): one session for all tests, reset before each. `test`: a new session for each test. */
  sessionPer?: 'file' | 'test';
  /** The scenario that payments follow, until a test chooses another one. */
  scenario?: string;
  /** How the provider behaves, until a test chooses another behaviour. */
  behaviour?: string;
  /** Freezes the clock at an RFC 3339 instant such as 2026-03-01T10:00:00Z. */
  now?: string;
  /** Ids and random values are derived from it. */
  seed?: string;
  /** `differ`: payments get different ids in each test, for code under test that stores ids for longer than one test. */
  ids?: 'repeat' | 'differ';
  /** The folder for bundles of failed tests. Default: `sandbox-failures`, in Playwright the test's output folder; `false` stores none. */
  failures?: string | false;
  /** The folder in which each test file (in Playwright: each worker) stores the coverage of its sandbox so far. Default: none. */
  coverage?: string;
  /** A running sandbox to connect to. Default: MERCHANT_SANDBOX_URL; if that is not set either, one is started. */
  url?: string;
  /** Its control token. Default: SANDBOX_CONTROL_TOKEN. */
  controlToken?: string;
  /**
   * Settings of the sandbox itself, as for startSandbox. A running sandbox has its own, so these start another one, even if
   * MERCHANT_SANDBOX_URL is set.
   */
  settings?: GivenSettings;
}

const NAMES: Readonly<Record<keyof SandboxOptions, true>> = {
  sessionPer: true,
  scenario: true,
  behaviour: true,
  now: true,
  seed: true,
  ids: true,
  failures: true,
  coverage: true,
  url: true,
  controlToken: true,
  settings: true,
};

/** Throws TypeError for unknown or contradictory options; the sandbox checks the rest. */
export function checkOptions(options: SandboxOptions): SandboxOptions {
  const names = Object.keys(NAMES);
  for (const name of Object.keys(options)) {
    if (!names.includes(name)) {
      throw new TypeError(`unknown option ${name}${guessOrList(name, names, 'known options are')}`);
    }
  }
  const { sessionPer = 'file', url, settings } = options;
  if (sessionPer !== 'file' && sessionPer !== 'test') {
    throw new TypeError(`sessionPer must be 'file' or 'test', not ${JSON.stringify(sessionPer)}`);
  }
  if (unlessEmpty(url) !== undefined && settings !== undefined) {
    throw new TypeError('url connects to a running sandbox, and settings start a new one: use only one of them');
  }
  return options;
}
