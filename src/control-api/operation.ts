import type { Fixtures } from '../config/fixtures.ts';
import type { Session } from '../sessions/session.ts';
import type { Sessions } from '../sessions/sessions.ts';

/** What the control door needs of the sandbox around it. */
export interface ControlParts {
  sessions: Sessions;
  fixtures: () => Fixtures;
  version: string;
  /** The endpoint of every session, from the settings. */
  webhookUrl: string | undefined;
  /** Refuses an address that notifications must not go to. */
  checkWebhookTarget(url: string): void;
  /** The whole interface, for one session's base address. */
  describe(baseUrl: string): Record<string, unknown>;
}

/** One control call, with its session at hand. */
export interface ControlCall<Body = unknown> {
  parts: ControlParts;
  session: Session;
  parameters: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  /** The checked body; undefined where the row has no request schema. */
  body: Body;
  /** The event id that a reconnecting client saw last. */
  lastEventId: string | undefined;
}

/** An answer that goes on: events as they happen. */
export class EventStream {
  readonly session: Session;
  readonly since: number;

  constructor(session: Session, since: number) {
    this.session = session;
    this.since = since;
  }
}

/** An answer that is a page. */
export class HtmlPage {
  readonly html: string;

  constructor(html: string) {
    this.html = html;
  }
}

/** A row of the control table. */
export interface ControlOperation<Body = unknown> {
  name: string;
  summary: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below /_sandbox; `{name}` stands for one segment. */
  path: string;
  /** Schema below schemas/ of the body; null where there is none. */
  request: string | null;
  /** What it answers: JSON, an EventStream or an HtmlPage; undefined is a 204. */
  handle(call: ControlCall<Body>): Promise<unknown>;
}

/** A row whose handler is typed by its request; the check has proved the type when the handler is called. */
export function controlRow<Body = undefined>(operation: ControlOperation<Body>): ControlOperation {
  return operation as unknown as ControlOperation;
}
