import type { Fixtures } from '../fixtures.ts';
import type { Session } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';

/** What the control door needs of the sandbox around it. */
export interface ControlParts {
  sessions: Sessions;
  fixtures: () => Fixtures;
  version: string;
  /** The whole interface, for one session's base address. */
  describe(baseUrl: string): unknown;
}

/** One control call, with its session at hand. */
export interface ControlCall {
  parts: ControlParts;
  session: Session;
  parameters: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  body: unknown;
}

/** A row of the control table. */
export interface ControlOperation {
  name: string;
  summary: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below /_sandbox; `{name}` stands for one segment. */
  path: string;
  /** Schema below schemas/ of the body; null where there is none. */
  request: string | null;
  /** What it answers, as JSON. */
  handle(call: ControlCall): Promise<unknown>;
}
