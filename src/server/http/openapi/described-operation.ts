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
  /** Further paths that serve the same. */
  aliases: readonly string[];
  /** The paths whose exchanges are its examples: an operation looks the same in both environments. */
  examplePaths: readonly string[];
  /** Names of the schemas below schemas/ that a body may fit, and its media type. */
  request: { schemas: readonly string[]; mediaType: string } | null;
  /** null where nothing but a 204 is answered. */
  response: DescribedContent | null;
  otherStatus?: DescribedFailure | undefined;
  failure: DescribedContent;
  failures: readonly DescribedFailure[];
  security: readonly Record<string, readonly string[]>[];
  /** Schema whose members come as query parameters. */
  query: string | null;
  requestHeaders: readonly RequestHeader[];
  responseHeaders: readonly ResponseHeader[];
  provenance: 'interface' | 'known' | 'ours';
}

export interface DescribedContent {
  mediaType: string;
  /** Another media type, for clients that ask for it. */
  onRequest?: string;
  /** Media types of the same content as a text, which a query parameter chooses, each with an example. */
  texts?: Readonly<Record<string, string>>;
  /** Name of a schema below schemas/; null for text. */
  schema: string | null;
  /** Whether the schema is that of each item on a page of a list. */
  isList?: boolean;
}
