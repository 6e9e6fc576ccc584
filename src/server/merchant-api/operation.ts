import type { RefusalKind } from '../../base/refusal-kinds.ts';
import type { Merchant, Payment } from '../../base/schema/records.ts';
import { fillTemplate } from '../config/template.ts';
import type { Plan } from '../domain/scenarios/scenario.ts';
import type { Envelope } from '../domain/wire/envelopes.ts';
import type { ResponseHeader } from '../http/openapi/headers.ts';
import type { Reader } from '../sessions/reader.ts';
import type { Session } from '../sessions/session.ts';
import type { Transaction } from '../sessions/transaction.ts';
import type { Check } from './field-checks.ts';

export type Environment = 'production' | 'sandbox';

/** Where a fact about an operation comes from. */
export type Provenance = 'interface' | 'known' | 'ours';

/** Who must be named by a request: nobody, the credentials in its body, or a bearer token. */
export type Authentication = 'none' | 'credentials' | 'bearer' | 'optional-bearer';

export interface OperationPath {
  environment: Environment;
  /** Without the `Request` spelling, which every path also has. `{id}` stands for one segment. */
  path: string;
  provenance: Provenance;
}

/** A row of the operations table: what it is called, where it is served, and what it does. */
export type Operation<Body = unknown> = OperationFacts<Body> & (Reading<Body> | Writing<Body>);

/** An operation that changes nothing: it waits for no other call. */
interface Reading<Body> {
  read(call: Call<Body>, reader: Reader): Promise<HandlerResult>;
}

/** An operation whose changes are kept together or not at all. */
interface Writing<Body> {
  handle(call: Call<Body>, transaction: Transaction): Promise<HandlerResult>;
}

type MemberOf<Body> = unknown extends Body ? string : keyof Body & string;

interface OperationFacts<Body> {
  name: string;
  summary: string;
  /** In whole sentences, for the API reference. */
  description: string;
  method: 'GET' | 'POST';
  paths: readonly OperationPath[];
  /** How the body comes; `json-or-query` also takes the members as query parameters. */
  body: 'none' | 'json' | 'json-or-query' | 'multipart';
  /** Schema in schemas/requests; null where there is no body. */
  request: string | null;
  /** What its schema cannot say of the body; that walletName means a channel is checked wherever there is a channelMember. */
  checks?: readonly Check[];
  /** Schema in schemas/responses. */
  response: string;
  authentication: Authentication;
  envelope: Envelope;
  /** Refusals of its handler, besides those of the earlier steps. */
  refusals?: readonly RefusalKind[];
  /** Headers of its answer, besides those that every answer has. */
  responseHeaders?: readonly ResponseHeader[];
  /** A body with this member belongs to another operation, although it was sent to this path. */
  otherwise?: { member: string; operation: string };
  /** The body's member that names the channel. */
  channelMember?: MemberOf<Body>;
  /** The body's member by which the merchant knows what the call is about. */
  referenceMember?: MemberOf<Body>;
}

/** The input of a handler: the validated request, with the results of the earlier steps. */
export interface Call<Body = unknown> {
  operation: string;
  environment: Environment;
  session: Session;
  body: Body;
  /** Segments of the path that stand in braces in the table. */
  parameters: Readonly<Record<string, string>>;
  /** The merchant of the credentials or the bearer token; null where the operation asks for neither. */
  merchant: Merchant | null;
  plan: Plan;
}

/** What a handler returns. */
export interface HandlerResult {
  /** The answer's JSON. */
  answer: unknown;
  /** A sample notification to send before the answer; headers of the answer report its outcome. */
  sample?: { url: string; body: string };
  /** The payment whose status the answer reports, as it reports it. */
  reportedPayment?: Payment;
}

/** The merchant of a call whose operation asks for one. */
export function merchantOf(call: Call): Merchant {
  if (!call.merchant) {
    throw new Error(`${call.operation} handles a merchant but its row asks for no authentication`);
  }
  return call.merchant;
}

/** A sentence of the operation in fixtures/operations.json, filled with these variables. */
export function messageOf(call: Call, name: string, variables: Record<string, unknown> = {}): string {
  const template = call.session.fixtures.operations.operations[call.operation]?.messages?.[name];
  if (template === undefined) {
    throw new Error(`fixtures/operations.json has no message ${name} for ${call.operation}`);
  }
  return String(fillTemplate(template, variables));
}
