import { readdirSync, readFileSync } from 'node:fs';
import { createConfig, lintFromString, stringifyYaml } from '@redocly/openapi-core';
import { loadSchema } from '../../../../src/base/schema/load-schema.ts';
import { CONTROL_OPERATIONS } from '../../../../src/server/control-api/operations.ts';
import { OPERATIONS } from '../../../../src/server/merchant-api/operations.ts';
import { pathsOf, routesOf } from '../../../../src/server/merchant-api/routes.ts';
import { type Sandbox, startSandbox } from '../../../sandbox.ts';
import { type Document, documentOf, exampleValues, operationsIn, type Response, resolve } from './document.ts';
import type { Schema } from './samples.ts';

let sandbox: Sandbox;
let document: Document;

beforeAll(async () => {
  sandbox = await startSandbox();
  document = await documentOf(sandbox);
});
afterAll(() => sandbox.close());

const names = (folder: string) =>
  readdirSync(`schemas/${folder}`).map((file) => `${folder}/${file.replace('.json', '')}`);
const operation = (name: string) => {
  const match = operationsIn(document).find(({ operationId }) => operationId === name);
  if (!match) {
    throw new Error(`the document has no ${name}`);
  }
  return match;
};
const answerOf = (name: string) => responsesOf(name).find(([status]) => status === '200')?.[1].content ?? {};
const responsesOf = (name: string) =>
  Object.entries(operation(name).responses).map(
    ([status, response]) => [status, resolve<Response>(document, response)] as const,
  );

it('the document passes the Redocly linter without a finding', async () => {
  const config = await createConfig({
    extends: ['recommended'],
    rules: { 'no-invalid-schema-examples': 'error', 'no-invalid-parameter-examples': 'error' },
  });
  const problems = await lintFromString({ source: stringifyYaml(document), config });
  expect(problems.map(({ message, location }) => [message, location[0]?.pointer])).toEqual([]);
});

it('the document has exactly the paths of both operations tables, each for one operation', () => {
  const merchant = OPERATIONS.flatMap((row) =>
    pathsOf(row, sandbox.fixtures).map(({ path }) => `${row.method} ${path}`),
  );
  const control = CONTROL_OPERATIONS.map(({ method, path }) => `${method} /_sandbox${path}`);
  const described = operationsIn(document).flatMap(({ method, path, 'x-aliases': aliases = [] }) =>
    [path, ...aliases].map((each) => `${method} ${each}`),
  );
  expect(described.sort()).toEqual([...merchant, ...control].sort());
});

it('the document has each merchant operation once per environment, and each control operation once', () => {
  const merchant = OPERATIONS.flatMap(({ name }) => [name, `${name}Sandbox`]);
  const control = CONTROL_OPERATIONS.map(({ name }) => name);
  expect(
    operationsIn(document)
      .map(({ operationId }) => operationId)
      .sort(),
  ).toEqual([...merchant, ...control].sort());
  expect(operation('getAccessTokenSandbox')['x-aliases']).toEqual([
    '/auth/authenticate/sandbox/merchantRequest',
    '/sandbox/auth/authenticate/merchant',
    '/sandbox/auth/authenticate/merchantRequest',
  ]);
});

it('the routes of the merchant API have exactly the paths of the operations table', () => {
  const routes = routesOf(sandbox.fixtures).map(({ method, path }) => `${method} ${path}`);
  const rows = OPERATIONS.flatMap((row) => pathsOf(row, sandbox.fixtures).map(({ path }) => `${row.method} ${path}`));
  expect(routes.sort()).toEqual(rows.sort());
});

it('the document uses exactly the request and response schemas that exist', () => {
  const used = OPERATIONS.flatMap(({ request: requestSchema, response, envelope }) => [
    requestSchema,
    response,
    `responses/failed-${envelope}`,
  ]);
  const files = [...names('requests'), ...names('responses')];
  expect([...new Set(used.filter((name) => name !== null))].sort()).toEqual(files.sort());
  const titles = new Set(Object.keys(document.components.schemas));
  // Query parameters are listed with their operation.
  for (const file of files.filter((name) => name !== 'requests/payment-status')) {
    expect(titles).toContain(loadSchema(file)['title']);
  }
});

it('the control operations use all control schemas, and 204 is documented for those that answer without a body', () => {
  const rows = CONTROL_OPERATIONS.flatMap(({ query, request: requestSchema, response }) => [
    query,
    requestSchema,
    response?.schema,
  ]);
  const used = new Set(rows.flatMap((name) => (typeof name === 'string' ? [name] : [])));
  const allNames = names('control').flatMap((name) => [
    ...JSON.stringify(loadSchema(name)).matchAll(/"\$ref":"([\w-]+)\.json"/g),
  ]);
  for (const [, name] of allNames) {
    used.add(`control/${name}`);
  }
  expect(names('control').filter((name) => !used.has(name))).toEqual(['control/problem']);
  expect(document.components.schemas).toHaveProperty('Problem');
  const withoutContent = CONTROL_OPERATIONS.filter(({ response }) => response === null).map(({ name }) => name);
  expect(withoutContent).toEqual([
    ...['clearRequests', 'deleteSession', 'deleteScenario', 'startExamination', 'stopExamination'],
  ]);
  for (const name of withoutContent) {
    expect(operation(name).responses['204']).toEqual({ description: 'Done.' });
  }
});

it('the document describes the query parameters of a list of the control API, and its pages', () => {
  const described = operation('listPayments');
  expect(described.parameters).toContainEqual({
    name: 'limit',
    in: 'query',
    description: 'maximum number of items (default 50)',
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: 1000 },
  });
  expect(answerOf('listPayments')['application/json']?.schema).toEqual({
    type: 'object',
    required: ['items', 'nextCursor'],
    properties: {
      items: { type: 'array', items: { $ref: '#/components/schemas/PaymentView' } },
      nextCursor: { type: ['string', 'null'] },
    },
  });
});

it('the document refers only to its own components, and never in a circle', () => {
  const follow = (part: unknown, followed: readonly string[]) => {
    if (typeof part !== 'object' || part === null) {
      return;
    }
    const { $ref } = part as { $ref?: string };
    if ($ref === undefined) {
      for (const member of Object.values(part)) {
        follow(member, followed);
      }
      return;
    }
    expect(Object.keys(part)).toEqual(['$ref']);
    expect($ref).toMatch(/^#\/components\/\w+\/[\w-]+$/);
    expect(followed).not.toContain($ref);
    follow(resolve(document, part), [...followed, $ref]);
  };
  follow(document.paths, []);
  follow(document.webhooks, []);
});

it('the document has the image of a link as a file, and no internal keywords', () => {
  const { schemas } = document.components as { schemas: Record<string, { properties?: Record<string, object> }> };
  expect(schemas['PaymentLinkRequest']?.properties?.['paymentLinkImage']).toMatchObject({
    type: 'string',
    format: 'binary',
  });
  expect(JSON.stringify(document)).not.toMatch(/x-lenient|x-file|x-names/);
});

it('the document also allows a split payment at the path of single payments', () => {
  const content = operation('initiatePayment').requestBody?.content['application/json'];
  expect(content?.schema).toEqual({
    oneOf: [{ $ref: '#/components/schemas/SinglePaymentRequest' }, { $ref: '#/components/schemas/BulkPaymentRequest' }],
  });
  expect(content?.examples?.['split-on-mobile-money']?.value).toHaveProperty('dynamicPaidList');
  expect(Object.keys(content?.examples ?? {})).toEqual(
    expect.arrayContaining(['qr-wallet', 'mobile-money', 'card-switch', 'card-network-a', 'card-network-b']),
  );
});

it('the document has examples of request bodies, answers, path parameters and headers', () => {
  // Streams, this document, the page, and facts about a process or machine are not recorded as exchanges.
  const withoutAnswer = [
    'streamEvents',
    'streamNotices',
    'getOpenApi',
    'getDocs',
    'getMetrics',
    'getCoverage',
    'getCaCertificate',
    'getBundle',
  ];
  const lacking = operationsIn(document).flatMap(({ operationId, parameters, requestBody, responses }) => [
    ...Object.values(requestBody?.content ?? {}).filter((content) => exampleValues(content).length === 0),
    ...parameters
      .map((parameter) => resolve(document, parameter))
      .filter(({ in: place, required, example }) => (required || place === 'header') && example === undefined),
    ...Object.entries(responses)
      .filter(([status]) => !(status === '200' && withoutAnswer.includes(operationId)))
      .flatMap(([, response]) => Object.values(resolve<Response>(document, response).content ?? {}))
      .filter((content) => exampleValues(content).length === 0)
      .map((content) => [operationId, content]),
  ]);
  expect(lacking).toEqual([]);
});

it('the document lists the statuses of refusals, with a reason and a body in the form of their operation', () => {
  expect(responsesOf('cancelRecurringPayment').map(([status]) => status)).toEqual([
    ...['200', '400', '401', '403', '404', '409', '429', '500', '503', '504'],
  ]);
  expect(responsesOf('verifyRequests').map(([status]) => status)).toContain('422');
  const [, conflict] = responsesOf('cancelRecurringPayment').find(([status]) => status === '409') ?? [];
  expect(conflict?.description).toContain('The state of the record does not allow this.');
  expect(conflict?.content?.['text/plain']?.example).toEqual({
    status: 'Failed',
    message: 'The state of the record does not allow this.',
  });
});

it('the document has the request headers that control a call, and the response headers that report on it', () => {
  const headerParameters = operation('initiatePayment').parameters.map((parameter) => resolve(document, parameter));
  expect(headerParameters).toMatchObject([
    { name: 'X-Sandbox-Session', in: 'header', required: false },
    { name: 'X-Sandbox-Scenario', in: 'header', required: false },
  ]);
  for (const [, { headers = {} }] of responsesOf('testWebhook')) {
    expect(Object.keys(headers)).toEqual(
      expect.arrayContaining(['X-Sandbox-Request', 'X-Sandbox-Scenario', 'X-Sandbox-Outcome', 'X-Sandbox-Warnings']),
    );
  }
  const [[, { headers: ofList = {} } = {}] = []] = responsesOf('listBanks');
  expect(Object.keys(ofList)).toEqual(['X-Sandbox-Request', 'X-Sandbox-Scenario', 'X-Sandbox-Outcome']);
  expect(document.components.headers).toHaveProperty('X-Sandbox-Delivery-Outcome');
});

it('the document describes the event stream, the page of the API reference and a notification', () => {
  const typesOf = (name: string) => Object.keys(answerOf(name));
  expect([typesOf('streamEvents'), typesOf('getDocs')]).toEqual([['text/event-stream'], ['text/html']]);
  const notification = document.webhooks['transaction']?.['post'];
  expect(notification?.parameters.map((parameter) => resolve(document, parameter).name)).toEqual([
    'webhook-id',
    'webhook-timestamp',
    'webhook-signature',
  ]);
  expect(notification?.requestBody?.content['application/json']).toMatchObject({
    schema: { $ref: '#/components/schemas/NotificationResponse' },
    example: { status: 'Paid' },
  });
});

it('the document has no format that only the sandbox knows', () => {
  const formats = [...JSON.stringify(document.components.schemas).matchAll(/"format":"([^"]+)"/g)].map(
    ([, name]) => name,
  );
  expect([...new Set(formats)].sort()).toEqual(['binary', 'date', 'date-time', 'email']);
});

it('the document lists the wallet names of the fixtures, and those that require a mobile number', () => {
  const { SinglePaymentRequest: single } = document.components.schemas as Record<string, Schema>;
  const names = sandbox.fixtures.channels.channels.flatMap((channel) => channel.names);
  expect(single?.properties?.['walletName']?.enum).toEqual(names);
  expect(single?.if?.properties?.['walletName']?.enum).toEqual(['WALLET_MOBILE', '<WALLET_MOBILE>']);
});

it('the document has no index signature beside optional members, because generated types do not support it', () => {
  const objectsIn = (part: unknown): Schema[] =>
    typeof part !== 'object' || part === null ? [] : [part as Schema, ...Object.values(part).flatMap(objectsIn)];
  const mixed = objectsIn(document).filter(
    ({ type, properties, additionalProperties }) =>
      type === 'object' && properties !== undefined && typeof additionalProperties === 'object',
  );
  expect(mixed).toEqual([]);
  const { rules } = resolve<Schema>(document, { $ref: '#/components/schemas/ScenarioFixture' }).properties ?? {};
  const respond = rules?.items?.properties?.['respond'];
  expect(Object.keys(respond?.properties ?? {})).toEqual(expect.arrayContaining(['template', 'unused', 'status']));
});

it('the document has the media types of text formats that can be requested', () => {
  const typesOf = (name: string) => Object.keys(answerOf(name));
  expect(typesOf('getSettlementFile')).toEqual(['application/json', 'text/csv']);
  expect(typesOf('getInvoice')).toEqual(['application/json', 'text/csv']);
  for (const name of ['getSettlementStatement', 'getReport']) {
    expect(typesOf(name)).toEqual(['application/json', 'text/csv', 'application/xml', 'text/plain']);
  }
});

it('the document lists the status with which each GET for an unknown session is answered', async () => {
  const reading = CONTROL_OPERATIONS.filter(({ method, path }) => method === 'GET' && !path.includes('{'));
  const refused: string[] = [];
  for (const { name, path } of reading) {
    const stop = new AbortController();
    const { status } = await fetch(`${sandbox.url}/s/missing/_sandbox${path}`, { signal: stop.signal });
    stop.abort();
    expect([name, responsesOf(name).map(([each]) => each)]).toEqual([name, expect.arrayContaining([String(status)])]);
    refused.push(...(status === 404 ? [name] : []));
  }
  expect(refused).toEqual(expect.arrayContaining(['listPayments', 'getClock', 'streamEvents']));
});

it('the document has the address of the session that is called', async () => {
  const { servers } = await sandbox.session('mine').call<Document>('GET', '/openapi.json');
  expect(servers).toEqual([{ url: `${sandbox.url}/s/mine` }]);
});

it('the document has the source of each operation, and its purpose in a sentence', () => {
  for (const { 'x-provenance': provenance, description } of operationsIn(document)) {
    expect(['interface', 'known', 'ours']).toContain(provenance);
    expect(description).toMatch(/^[A-Z].+\.$/s);
  }
});

it('the document has application/json for the merchant API only if answers are negotiated', async () => {
  const negotiating = await startSandbox({ contentType: 'negotiated' });
  const typesIn = (each: Document) =>
    operationsIn(each)
      .filter(({ tags }) => !tags.includes('control'))
      .flatMap(({ responses }) => Object.values(responses))
      .map((response) => Object.keys(resolve<Response>(each, response).content ?? {}).join(' '));
  expect(new Set(typesIn(document))).toEqual(new Set(['text/plain']));
  expect(new Set(typesIn(await documentOf(negotiating)))).toEqual(new Set(['text/plain application/json']));
  await negotiating.close();
});

it('the document explains how a generated client reads answers as JSON', () => {
  const { description } = document.info;
  const setting = "client.setConfig({ parseAs: 'json' })";
  expect(description.replace(/\s+/g, ' ')).toContain(setting);
  expect(readFileSync('docs/calls.md', 'utf8')).toContain(setting);
  expect(readFileSync('test/server/http/openapi/generators/drive-hey-api.ts', 'utf8')).toContain(setting);
});
