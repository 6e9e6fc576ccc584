type Json = Record<string, unknown>;

/** Some API clients send headers with their examples in every call. The empty examples have no effect. */
const REQUEST_HEADERS = {
  'X-Sandbox-Session': {
    description: 'The session of the call, if the path does not name one (`/s/{name}/…`).',
    example: '',
  },
  'X-Sandbox-Scenario': {
    description: 'The scenario for this call, instead of the one that the session uses.',
    example: '',
  },
  'Last-Event-ID': { description: 'The id of the last event that was read.', example: '0' },
} as const;

const RESPONSE_HEADERS = {
  'X-Sandbox-Request': { description: "The call's id in the request log.", example: 'request-1' },
  'X-Sandbox-Scenario': { description: 'The scenario that was used.', example: 'payer-decides' },
  'X-Sandbox-Outcome': {
    description: 'The rule that was applied and what selected it, or why the call was refused.',
    example: 'payer-decides, chosen by session',
  },
  'X-Sandbox-Warnings': {
    description: 'Accepted input that is probably a mistake, such as an unknown field.',
    example: 'SBX-W01 $.colour: expected no such field, received an unknown field',
  },
  'X-Sandbox-Delivery': { description: 'The id of the delivery that was made.', example: 'delivery-1' },
  'X-Sandbox-Delivery-Outcome': {
    description: 'Whether the notification was delivered.',
    example: 'delivered: 204 in 12 ms',
  },
} as const;

export type RequestHeader = keyof typeof REQUEST_HEADERS;
export type ResponseHeader = keyof typeof RESPONSE_HEADERS;

/** The headers that operations refer to, as components. */
export function headerComponents(): { parameters: Json; headers: Json } {
  const parameters = Object.entries(REQUEST_HEADERS).map(([name, header]) => [
    name,
    { name, in: 'header', required: false, schema: { type: 'string' }, ...header },
  ]);
  const headers = Object.entries(RESPONSE_HEADERS).map(([name, header]) => [
    name,
    { schema: { type: 'string' }, ...header },
  ]);
  return { parameters: Object.fromEntries(parameters), headers: Object.fromEntries(headers) };
}

export function headerParameters(names: readonly RequestHeader[]): Json[] {
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

/** The `headers` of a response; an empty object if it has no headers. */
export function responseHeaders(names: readonly ResponseHeader[]): Json {
  const headers = names.map((name) => [name, { $ref: `#/components/headers/${name}` }]);
  return names.length === 0 ? {} : { headers: Object.fromEntries(headers) };
}
