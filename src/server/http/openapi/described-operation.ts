import type { DescribedFailure } from './failures.ts';
import type { RequestHeader, ResponseHeader } from './openapi-headers.ts';

/** An operation in the OpenAPI document, from any entry point's table. */
export interface DescribedOperation {
  operationId: string;
  summary: string;
  description: string;
  tag: string;
  method: string;
  path: string;
  /** Further paths of the same operation. */
  aliases: readonly string[];
  /** Paths whose recorded exchanges are its examples; of both environments, because the operation is the same in both. */
  examplePaths: readonly string[];
  /** Names of the schemas below schemas/ that a body may fit, and its media type. */
  request: { schemas: readonly string[]; mediaType: string } | null;
  /** null if success is answered with 204. */
  response: DescribedContent | null;
  /** Another status of the same answer, such as 503 while changes cannot be saved. */
  otherStatus?: DescribedFailure | undefined;
  failure: DescribedContent;
  failures: readonly DescribedFailure[];
  security: readonly Record<string, readonly string[]>[];
  /** Name of the schema whose members are the query parameters. */
  query: string | null;
  requestHeaders: readonly RequestHeader[];
  responseHeaders: readonly ResponseHeader[];
  provenance: 'interface' | 'known' | 'ours';
}

export interface DescribedContent {
  mediaType: string;
  /** Another media type, for clients that ask for it. */
  alternativeMediaType?: string;
  /** Text formats of the same content, which a query parameter selects: one example for each media type. */
  texts?: Readonly<Record<string, string>>;
  /** Name of a schema below schemas/; null for text. */
  schema: string | null;
  /** Whether the answer is a page of a list, and the schema describes its items. */
  isList?: boolean;
}
