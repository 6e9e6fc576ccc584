import type { Awaitable } from '../../base/awaitable.ts';
import type { RefusalKind } from '../../base/refusal-kinds.ts';
import type { Merchant, Payment } from '../../base/schema/generated/records.ts';
import { fillTemplate } from '../config/template.ts';
import type { CallPlan } from '../domain/scenarios/scenario.ts';
import type { Envelope } from '../domain/wire/envelopes.ts';
import type { ResponseHeader } from '../http/openapi/openapi-headers.ts';
import type { Reader } from '../sessions/reader.ts';
import type { Session } from '../sessions/session.ts';
import type { Transaction } from '../sessions/transaction.ts';
import type { FieldCheck } from './field-checks.ts';

export type ApiEnvironment = 'production' | 'sandbox';

/** The source of a path: INTERFACE.md, integrations with the real service, or a decision of this project. */
export type Provenance = 'interface' | 'known' | 'ours';

/** How a request authenticates its merchant: not at all, by credentials in its body, or by a bearer token. */
export type Authentication = 'none' | 'credentials' | 'bearer' | 'optional-bearer';

export interface OperationPath {
  environment: ApiEnvironment;
  /** `{id}` matches one segment. The table omits the `Request` spelling, which `pathsOf` adds. */
  path: string;
  provenance: Provenance;
}

/** A row of the operations table. */
export type Operation<Body = unknown> = OperationFacts<Body> & (ReadOperation<Body> | WriteOperation<Body>);

/** An operation whose handler changes no records, so it does not wait for the transactions of other calls. */
interface ReadOperation<Body> {
  read(call: Call<Body>, reader: Reader): Awaitable<HandlerResult>;
}

/** An operation that runs in a transaction: its changes commit together or not at all. */
interface WriteOperation<Body> {
  handle(call: Call<Body>, transaction: Transaction): Awaitable<HandlerResult>;
}

type MemberOf<Body> = unknown extends Body ? string : keyof Body & string;

interface OperationFacts<Body> {
  name: string;
  summary: string;
  /** In whole sentences, for the API reference. */
  description: string;
  method: 'GET' | 'POST';
  paths: readonly OperationPath[];
  /** Format of the body; `json-or-query` also accepts the members as query parameters. */
  body: 'none' | 'json' | 'json-or-query' | 'multipart';
  /** Schema in schemas/requests; null without a body. */
  request: string | null;
  /** Checks beyond the schema of the body. An operation with a channelMember also checks that name. */
  checks?: readonly FieldCheck[];
  /** Schema in schemas/responses. */
  response: string;
  authentication: Authentication;
  /** The form of the body with which a failed call is answered. */
  envelope: Envelope;
  /** Refusals of its handler, besides those of the earlier steps. */
  refusals?: readonly RefusalKind[];
  /** Headers of its answer, besides those that every answer has. */
  responseHeaders?: readonly ResponseHeader[];
  /** Messages of its answers, whose text is in fixtures/operations.json; for each the variables that the text may use. */
  messages?: Readonly<Record<string, readonly string[]>>;
  /** A body with this member belongs to another operation, although it was sent to this path. */
  alternative?: { member: string; operation: string };
  /** The body's member that names the channel. */
  channelMember?: MemberOf<Body>;
  /** The body's member with the merchant's reference. */
  referenceMember?: MemberOf<Body>;
}

/** The input of a handler: the validated request, with the results of the earlier steps. */
export interface Call<Body = unknown> {
  operation: string;
  environment: ApiEnvironment;
  session: Session;
  body: Body;
  /** Segments of the path that are in braces in the table. */
  parameters: Readonly<Record<string, string>>;
  /** The authenticated merchant, if any. */
  merchant: Merchant | null;
  plan: CallPlan;
}

export interface HandlerResult {
  answer: unknown;
  /** A sample notification to send before the answer; headers of the answer report its outcome. */
  sample?: { url: string; body: string };
  /** The payment in the answer, with the status that the answer reports. */
  reportedPayment?: Payment;
}

export function merchantOf(call: Call): Merchant {
  if (!call.merchant) {
    throw new Error(`${call.operation} requires a merchant, but its row has no authentication`);
  }
  return call.merchant;
}

/** A message of the operation in fixtures/operations.json, filled with these variables. */
export function operationMessage(call: Call, name: string, variables: Record<string, unknown> = {}): string {
  const template = call.session.fixtures.operations.operations[call.operation]?.messages?.[name];
  if (template === undefined) {
    throw new Error(`fixtures/operations.json has no message ${name} for ${call.operation}`);
  }
  return String(fillTemplate(template, variables));
}
