import type { ServerResponse } from 'node:http';
import { isRefusedAs } from '../../base/refusal.ts';
import type { RefusalKind } from '../../base/refusal-kinds.ts';
import type { CoverageView, HistoryView } from '../../base/schema/generated/control.ts';
import type { Fixtures } from '../config/fixtures.ts';
import type { Route } from '../http/entry-point.ts';
import type { DescribedContent } from '../http/openapi/described-operation.ts';
import type { DescribedFailure } from '../http/openapi/failures.ts';
import type { RequestHeader } from '../http/openapi/openapi-headers.ts';
import type { Session } from '../sessions/session.ts';
import { DEFAULT_SESSION, type Sessions } from '../sessions/sessions.ts';
import type { Transaction } from '../sessions/transaction.ts';
import type { CollectionName, CountedRecords, RecordChange } from '../store/store.ts';
import type { Examiner } from './examiner.ts';

/** The parts of the sandbox that the control API uses. */
export interface ControlParts {
  sessions: Sessions;
  /** The base address of the session of that name. */
  baseOf(sessionName: string): string;
  fixtures: () => Fixtures;
  version: string;
  /** Why changes cannot be saved at present; undefined while they can. */
  storeFailure: () => string | undefined;
  /** Whether the sandbox has begun to stop, so that balancers must send calls elsewhere. */
  isStopping: () => boolean;
  /** The number of records in a session for each combination of the values of their counted fields. */
  counts(session: Session, collection: CollectionName): Promise<readonly CountedRecords[]>;
  /** Metrics over all sessions, in Prometheus' text format. */
  metrics(): Promise<string>;
  /** Which behaviours the code under test has seen, over all sessions. */
  coverage(): CoverageView;
  /** Called with changes that a person makes in the console, because the coverage of the code under test must not count them. */
  onChangedByHand(changes: readonly RecordChange[]): void;
  /** The certificate of the sandbox's CA, which clients must trust for HTTPS, as PEM; undefined without such a CA. */
  caCertificate: string | undefined;
  /** Whether answers are checked against their response schemas before they are sent. */
  checkAnswers: boolean;
  /** The address of an endpoint that every session has, from the settings. */
  webhookUrl: string | undefined;
  /** Throws a Refusal for an address to which notifications must not be sent. */
  checkWebhookTarget(url: string): void;
  /** The session's history as a bundle. Throws `conflict` if no history is kept. */
  bundleOf(session: Session): Promise<string>;
  /** The steps of the session's history, all or those after one. Throws `conflict` if no history is kept, `unknown-record` for an unknown step. */
  historyOf(session: Session, after: string | undefined): Promise<HistoryView>;
  /** `at` is a step of the session. Default: its last step. */
  fork(session: Session, at: string | undefined, as: string): Promise<Session>;
  /** Ids of ignored findings about the integration. */
  ignored: ReadonlySet<string>;
  /** Examines a shop; undefined if the sandbox was started without a shop. */
  examiner: Examiner | undefined;
  /** Additional rows of this sandbox. */
  operations: readonly ControlOperation[];
  /** The OpenAPI document, with the base address of the session of that name. */
  openApi(sessionName: string): Promise<Record<string, unknown>>;
}

/** A control call that needs no session. */
export interface SandboxCall<Body = unknown, Query = unknown> {
  parts: ControlParts;
  /** The name of the session in the call. It may not exist. */
  sessionName: string;
  /** That session; created if it does not exist. */
  openSession(): Session;
  parameters: Readonly<Record<string, string>>;
  /** The checked query. */
  query: Query;
  /** The checked body; undefined where the row has no request schema. */
  body: Body;
  /** The Authorization header, for rows that ask for a merchant's token. */
  authorization: string | undefined;
  /** The event id that a reconnecting client saw last. */
  lastEventId: string | undefined;
  /** Whether a person made it, in the console or the API reference. */
  isByHand: boolean;
  /** Aborted if the client disconnects before it is answered. */
  signal: AbortSignal;
  /** Records the call and its answer in the session's history. */
  record(session: Session): void;
}

export interface SessionCall<Body = unknown, Query = unknown> extends SandboxCall<Body, Query> {
  session: Session;
  /** Runs a transaction that changes a payment, payout, settlement or notification. If a person made the call, see onChangedByHand. */
  changeRecords<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
}

/** Server-sent events, until the session or the connection ends. */
export class StreamedAnswer {
  readonly begin: (response: ServerResponse) => void;

  constructor(begin: (response: ServerResponse) => void) {
    this.begin = begin;
  }
}

/** A complete answer whose status is not 200. */
export class AnswerWithStatus {
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    this.status = status;
    this.body = body;
  }
}

/** An answer that is a text instead of JSON. */
export class PlainText {
  readonly mediaType: string;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(mediaType: string, text: string, headers: Readonly<Record<string, string>> = {}) {
    this.mediaType = mediaType;
    this.text = text;
    this.headers = headers;
  }
}

/** A row of the control table. */
export interface ControlOperation<Call = SandboxCall> extends Route {
  name: string;
  summary: string;
  /** In whole sentences, for the API reference. */
  description: string;
  /** Refusals of its handler, besides those that result from method, path and body of a call. */
  refusals?: readonly RefusalKind[];
  /** Schema below schemas/ of the query. Default: no query is allowed. */
  query?: string;
  /** Schema of the body. Default: it has none. */
  request?: string;
  /** `merchant` requires a merchant's access token. Default: the control token. */
  authentication?: 'merchant';
  /** A POST that changes nothing. */
  isReadOnly?: true;
  /** Headers that it reads, besides the one that names the session. */
  requestHeaders?: readonly RequestHeader[];
  /** null for a 204. */
  response: DescribedContent | null;
  /** The status of the same answer if it reports a problem, such as 503 while changes cannot be saved. */
  otherStatus?: DescribedFailure;
  /** Returns the answer: JSON, AnswerWithStatus, StreamedAnswer or PlainText; undefined is a 204. */
  handle(call: Call): Promise<unknown>;
}

export function itemOf(schema: string): DescribedContent {
  return { mediaType: 'application/json', schema };
}

/** `schema` is that of an item. */
export function listOf(schema: string): DescribedContent {
  return { mediaType: 'application/json', schema, isList: true };
}

const PAGING_HINT = 'Paginated: pass `nextCursor` as `cursor` to get the next page.';

/** Unlike `sessionRow`, does not open the session that the call names. */
export function sandboxRow<Body = undefined, Query = undefined>(
  operation: ControlOperation<SandboxCall<Body, Query>>,
): ControlOperation {
  const { description, query, response } = operation;
  const isPaged = query !== undefined && response?.isList === true;
  return isPaged ? { ...operation, description: `${description} ${PAGING_HINT}` } : operation;
}

/**
 * Only a POST or PUT that changes something and needs no existing record creates a missing session (the default one: any call), because a
 * client that reads from a missing session has probably misspelled its name.
 */
export function sessionRow<Body = undefined, Query = undefined>(
  operation: ControlOperation<SessionCall<Body, Query>>,
): ControlOperation {
  const { method, path, isReadOnly, refusals = [] } = operation;
  const isChange = method !== 'GET' && !isReadOnly;
  const needsRecord = path.includes('{id}') || refusals.includes('unknown-record');
  const createsSession = (method === 'POST' || method === 'PUT') && !isReadOnly && !needsRecord;
  return sandboxRow({
    ...operation,
    refusals: createsSession ? refusals : [...refusals, 'unknown-record'],
    async handle(call) {
      const { parts, sessionName, openSession } = call;
      const mayCreate = createsSession || sessionName === DEFAULT_SESSION;
      const isNew = mayCreate && parts.sessions.find(sessionName) === undefined;
      const session = mayCreate ? openSession() : await parts.sessions.getExisting(sessionName);
      session.markUsed();
      const changeRecords: SessionCall['changeRecords'] = (work) =>
        session.transact(call.isByHand ? transactByHand(work, parts) : work);
      const handle = () => operation.handle({ ...call, session, changeRecords } as SessionCall<Body, Query>);
      if (isChange) {
        call.record(session);
        return session.callOutcomes.run(handle).catch((error: unknown) => {
          if (isNew && isRefusedAs(error, 'storage')) {
            parts.sessions.discardEmpty(session);
          }
          throw error;
        });
      }
      const result = await handle();
      // Waits until the changes that the answer shows are saved, because otherwise they could still be lost.
      await session.confirm();
      return result;
    },
  });
}

function transactByHand<T>(work: (transaction: Transaction) => Promise<T>, parts: ControlParts) {
  return async (transaction: Transaction): Promise<T> => {
    const result = await work(transaction);
    parts.onChangedByHand(transaction.changes);
    return result;
  };
}
