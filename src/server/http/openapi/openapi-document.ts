import type { Steps } from '../../../base/steps.ts';
import { Components, type NamesInUse } from './components.ts';
import type { DescribedOperation } from './described-operation.ts';
import { headerComponents } from './openapi-headers.ts';
import { operationObject } from './operation-object.ts';
import { webhookObjects } from './webhook-objects.ts';

type Json = Record<string, unknown>;

const TAGS = [
  { name: 'sandbox', description: 'The merchant payments service, sandbox form.' },
  { name: 'webhooks', description: 'Notifications that the service sends to a merchant.' },
  { name: 'production', description: 'The merchant payments service, production form.' },
  {
    name: 'control',
    description: 'Controls and inspects the sandbox. The service itself has none of these operations.',
  },
];

const DESCRIPTION = `
Answers of the merchant API are JSON text in \`text/plain\`, like those of the service, regardless of \`Accept\`. Calls under \`/api\`
require the token from \`getAccessToken\`.

A generated client that reads an answer by its media type returns \`text/plain\` as a text. Configure it to parse JSON, which also works
with the service. @hey-api/openapi-ts: \`client.setConfig({ parseAs: 'json' })\`. openapi-fetch parses every answer as JSON.

For a client that can only decode \`application/json\`, start the sandbox with \`--content-type negotiated\`: answers are
\`application/json\` if \`Accept\` prefers it, and this document declares both types. \`--validation lenient\` does the same. Such a
client fails with the service itself.

An operation with several paths is listed once, under the first; \`x-aliases\` lists the others.
\`x-provenance\` says where an operation comes from: the documented \`interface\`, \`known\` from integrations, or \`ours\`.

The prefix \`/s/{name}\` before every path selects a session, also for this document. A scenario may simulate failures with any
status.
`.trim();

/** The OpenAPI 3.1 document of these operations, in steps, because creating it takes long. */
export function* openApiDocument(
  operations: readonly DescribedOperation[],
  names: NamesInUse,
  version: string,
  url: string,
): Steps<Json> {
  const components = new Components(names);
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: operationObject(operation, components) };
    yield;
  }
  const webhooks = webhookObjects(components);
  return {
    openapi: '3.1.0',
    info: {
      title: 'merchant-sandbox',
      version,
      summary: 'A local stand-in for a merchant payments service.',
      description: DESCRIPTION,
      contact: { name: 'API reference', url: `${url}/_sandbox/docs` },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url }],
    tags: TAGS,
    paths,
    webhooks,
    components: {
      schemas: components.schemas,
      responses: components.responses,
      ...headerComponents(),
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The token from `getAccessToken`.',
        },
        controlToken: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Sandbox-Control-Token',
          description: 'Printed at start by a sandbox that listens beyond loopback; not needed otherwise.',
        },
      },
    },
  };
}
