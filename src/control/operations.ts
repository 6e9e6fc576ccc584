import type { ControlOperation } from './operation.ts';

/** THE TABLE of control calls. Source: design, "Control API". */
export const CONTROL_OPERATIONS: readonly ControlOperation[] = [
  {
    name: 'getHealth',
    summary: 'Whether the sandbox is up, and its version',
    method: 'GET',
    path: '/health',
    request: null,
    handle: async ({ parts }) => ({ status: 'ok', version: parts.version }),
  },
  {
    name: 'getOpenApi',
    summary: 'The whole interface as an OpenAPI document',
    method: 'GET',
    path: '/openapi.json',
    request: null,
    handle: async ({ parts, session }) => parts.describe(session.addresses.base),
  },
];
