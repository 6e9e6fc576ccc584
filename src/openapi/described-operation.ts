/** An operation as the OpenAPI document describes it, whichever table it stands in. */
export interface DescribedOperation {
  operationId: string;
  summary: string;
  tag: string;
  method: string;
  path: string;
  /** Name of a schema below schemas/, and the media type that it comes in. */
  request: { schema: string; mediaType: string; required: boolean } | null;
  /** null where nothing but a 204 is answered. */
  response: DescribedContent | null;
  failure: DescribedContent;
  bearer: 'none' | 'optional' | 'required';
  /** Schema whose members may come as query parameters. */
  query: string | null;
  provenance: 'interface' | 'known' | 'ours';
}

export interface DescribedContent {
  mediaType: string;
  /** Name of a schema below schemas/; null where there is none. */
  schema: string | null;
  /** Whether the schema is that of each item on a page of a list. */
  isList?: boolean;
}
