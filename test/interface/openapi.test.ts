import { readdirSync } from 'node:fs';
import { createConfig, lintFromString, stringifyYaml } from '@redocly/openapi-core';
import request from 'supertest';
import { CONTROL_OPERATIONS } from '../../src/control-api/operations.ts';
import { OPERATIONS } from '../../src/merchant-api/operations.ts';
import { pathsOf, routesOf } from '../../src/merchant-api/routes.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox.ts';
import { loadSchema } from '../../src/schema/validation.ts';

interface Described {
  operationId: string;
  'x-provenance': string;
  parameters?: object[];
  requestBody?: { content: Record<string, { schema: { $ref: string } }> };
  responses: Record<string, { content: Record<string, { schema?: object }> }>;
}
interface Document {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, object> };
}

let sandbox: Sandbox;
let document: Document;

beforeAll(async () => {
  sandbox = await startSandbox();
  document = (await request(sandbox.url).get('/_sandbox/openapi.json')).body;
});
afterAll(() => sandbox.close());

const names = (folder: string) =>
  readdirSync(`schemas/${folder}`).map((file) => `${folder}/${file.replace('.json', '')}`);

it('passes a linter without an error', async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: stringifyYaml(document), config });
  expect(
    problems.filter(({ severity }) => severity === 'error').map(({ message, location }) => [message, location[0]]),
  ).toEqual([]);
});

it('has every path of both tables, and no other', () => {
  const merchant = OPERATIONS.flatMap((operation) =>
    pathsOf(operation, sandbox.fixtures).map(({ path }) => `${operation.method} ${path}`),
  );
  const control = CONTROL_OPERATIONS.map(({ method, path }) => `${method} /_sandbox${path}`);
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(described.sort()).toEqual([...merchant, ...control].sort());
});

it('has the routes that the router serves, and no other', () => {
  const routes = routesOf(sandbox.fixtures).map(({ method, path }) => `${method} ${path}`);
  const rows = OPERATIONS.flatMap((operation) =>
    pathsOf(operation, sandbox.fixtures).map(({ path }) => `${operation.method} ${path}`),
  );
  expect(routes.sort()).toEqual(rows.sort());
});

it('uses every request and response schema, and every row has its schemas', () => {
  const used = OPERATIONS.flatMap(({ request: asked, response, envelope }) => [
    asked,
    response,
    `responses/failed-${envelope}`,
  ]);
  const files = [...names('requests'), ...names('responses')];
  expect([...new Set(used.filter((name) => name !== null))].sort()).toEqual(files.sort());
  const titles = new Set(Object.keys(document.components.schemas));
  for (const file of files) {
    expect(titles).toContain(loadSchema(file)['title']);
  }
});

it('has query, request and response schemas of the control table, and no control schema that nothing uses', () => {
  const rows = CONTROL_OPERATIONS.flatMap(({ query, request: asked, response }) => [query, asked, response?.schema]);
  const used = new Set(rows.flatMap((name) => (typeof name === 'string' ? [name] : [])));
  const whole = names('control').flatMap((name) => [
    ...JSON.stringify(loadSchema(name)).matchAll(/"\$ref":"([\w-]+)\.json"/g),
  ]);
  for (const [, name] of whole) {
    used.add(`control/${name}`);
  }
  expect(names('control').filter((name) => !used.has(name))).toEqual(['control/problem']);
  expect(document.components.schemas).toHaveProperty('Problem');
  const silent = CONTROL_OPERATIONS.filter(({ response }) => response === null).map(({ name }) => name);
  expect(silent).toEqual(['deleteSession', 'deleteScenario', 'clearRequests']);
});

it('describes each query parameter and each list of the control API', () => {
  const described = document.paths['/_sandbox/payments']?.['get'];
  expect(described?.parameters).toContainEqual({
    name: 'limit',
    in: 'query',
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: 1000, description: 'how many at most; left out, 50' },
  });
  expect(described?.responses['200']?.content['application/json']?.schema).toEqual({
    type: 'object',
    required: ['items', 'nextCursor'],
    properties: {
      items: { type: 'array', items: { $ref: '#/components/schemas/PaymentView' } },
      nextCursor: { type: ['string', 'null'] },
    },
  });
  expect(JSON.stringify(document)).not.toMatch(/"\$ref":"(?!#\/components)/);
});

it('says of each operation where it comes from', () => {
  for (const methods of Object.values(document.paths)) {
    for (const operation of Object.values(methods)) {
      expect(['interface', 'known', 'ours']).toContain(operation['x-provenance']);
    }
  }
});
