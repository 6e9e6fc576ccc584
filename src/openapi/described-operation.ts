/** An operation as the OpenAPI document tells of it, whichever table it stands in. */
export interface DescribedOperation {
  operationId: string;
  summary: string;
  tag: string;
  method: string;
  path: string;
  /** Name of a schema below schemas/, and the media type that it comes in. */
  request: { schema: string; mediaType: string; required: boolean } | null;
  response: { schema: string | null; mediaType: string };
  failure: { schema: string | null; mediaType: string };
  bearer: 'none' | 'optional' | 'required';
  /** Members that may also come as query parameters. */
  queryFrom?: string | undefined;
  provenance: 'interface' | 'known' | 'ours';
}
