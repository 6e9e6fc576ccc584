import { exchangeFiles, PUBLIC_URL, readExchanges } from '../../../../scripts/exchanges.mjs';
import { tokenOf } from '../../../interface/calls.ts';
import { MERCHANT } from '../../../interface/examples.ts';
import { requestOf } from '../../../interface/exchange-requests.ts';
import { type Sandbox, startSandbox } from '../../../sandbox.ts';
import { ExchangeChecker } from './check-exchange.ts';
import { documentOf, exampleRequest, type ListedOperation, operationsIn } from './document.ts';

const NOW = Date.parse('2026-03-01T10:00:00.000Z');

let checker: ExchangeChecker;

beforeAll(async () => {
  const sandbox = await startSandbox();
  checker = new ExchangeChecker(await documentOf(sandbox));
  await sandbox.close();
});

it.each(exchangeFiles())('the exchanges of %s fit the document', async (file) => {
  const sandbox = await startSandbox({ now: NOW, publicUrl: PUBLIC_URL });
  const findings: unknown[] = [];
  for (const { request } of readExchanges(file).exchanges) {
    const { status, inRequest, inAnswer } = await checker.send(requestOf(request, sandbox.url));
    // Requests that the sandbox refuses may contradict the document.
    findings.push(...inAnswer, ...(status < 300 ? inRequest : []));
  }
  await sandbox.close();
  expect(findings).toEqual([]);
});

describe('every operation', () => {
  let sandbox: Sandbox;
  let operations: ListedOperation[];

  beforeAll(async () => {
    sandbox = await startSandbox({ now: NOW });
    const document = await documentOf(sandbox);
    operations = operationsIn(document).filter(({ operationId }) => !operationId.startsWith('stream'));
  });
  afterAll(() => sandbox.close());

  /** Sends the operations' examples as `change` returns them. Returns all contradictions to the document. */
  async function findingsOf(
    change: (request: Request, operation: ListedOperation) => Request | null,
    pathsOf: (operation: ListedOperation) => string[] = ({ path }) => [path],
  ): Promise<unknown[]> {
    const token = await tokenOf(sandbox.url);
    const calls = operations.flatMap((operation) => pathsOf(operation).map((path) => ({ operation, path })));
    const findings: unknown[] = [];
    for (const { operation, path } of calls) {
      const request = change(exampleRequest(operation, path, sandbox.url, token), operation);
      const exchange = request && (await checker.send(request));
      if (exchange) {
        const inRequest = exchange.status < 300 ? exchange.inRequest : [];
        findings.push(...[...exchange.inAnswer, ...inRequest].map((finding) => [operation.operationId, path, finding]));
      }
    }
    return findings;
  }

  it('answers its example as documented, at each of its paths', async () => {
    const allPaths = ({ path, 'x-aliases': aliases = [] }: ListedOperation) => [path, ...aliases];
    expect(await findingsOf((request) => request, allPaths)).toEqual([]);
  });

  it('accepts its example, in the order of the document, unless a condition is not met', async () => {
    const base = sandbox.sessionUrl('tour');
    const token = await tokenOf(base);
    const deleting = ['reset', 'putState', 'clearRequests'];
    const refused: string[] = [];
    for (const operation of operations.filter(({ operationId }) => !deleting.includes(operationId))) {
      const answer = await fetch(exampleRequest(operation, operation.path, base, token));
      await answer.arrayBuffer();
      refused.push(...(answer.ok ? [] : [operation.operationId]));
    }
    // The recurring payment with that id belongs to production.
    const ofProduction = 'cancelRecurringPaymentSandbox';
    const withoutHttps = 'getCaCertificate';
    // Earlier calls have created a session with that name.
    const nameTaken = 'forkSession';
    const withoutShop = 'startExamination';
    // A settlement arrives at the bank on its value date.
    const afterTransfer = ['returnSettlement', 'getSettlementStatement'];
    // No delivery has failed often enough to halt a queue.
    const afterFailures = 'resumeEndpoint';
    expect(refused).toEqual([ofProduction, withoutHttps, ...afterTransfer, afterFailures, nameTaken, withoutShop]);
  });

  const hasBody = ({ body }: Request) => body !== null;
  const withHeaders = (request: Request, headers: Record<string, string>, body?: string) =>
    new Request(request, {
      headers: { ...Object.fromEntries(request.headers), ...headers },
      ...(body === undefined ? {} : { body }),
    });

  it.each<[string, (request: Request, operation: ListedOperation) => Request | null]>([
    ['a truncated body', (request) => (hasBody(request) ? withHeaders(request, {}, '{"odd":') : null)],
    [
      'a body of another type',
      (request) => (hasBody(request) ? withHeaders(request, { 'content-type': 'text/csv' }, 'a') : null),
    ],
    [
      'an empty object',
      (request) => (hasBody(request) ? withHeaders(request, { 'content-type': 'application/json' }, '{}') : null),
    ],
    [
      'an unknown id',
      (request, { path }) =>
        path.includes('{')
          ? new Request(request.url.replace(/\/(1|[A-Z]+-\w+|[a-z]+-[\w-]+)(?=$|\/\w+$)/, '/999'), request)
          : null,
    ],
    [
      'another token',
      (request) => (request.headers.has('authorization') ? withHeaders(request, { authorization: 'Bearer x' }) : null),
    ],
    [
      'no token',
      (request) => {
        const headers = new Headers(request.headers);
        headers.delete('authorization');
        return new Request(request, { headers });
      },
    ],
    ['an invalid session name', (request) => withHeaders(request, { 'x-sandbox-session': '-' })],
    ['an unknown scenario', (request) => withHeaders(request, { 'x-sandbox-scenario': 'nothing' })],
    ['a scenario that fails with 503', (request) => withHeaders(request, { 'x-sandbox-scenario': 'outage' })],
    ['a scenario that fails with 429', (request) => withHeaders(request, { 'x-sandbox-scenario': 'rate-limited' })],
    ['a call by a page of another origin', (request) => withHeaders(request, { origin: 'http://elsewhere.example' })],
  ])('answers %s as documented', async (_title, change) => {
    expect(await findingsOf(change)).toEqual([]);
  });
});

it('an exchange that contradicts the document is found', async () => {
  const sandbox = await startSandbox();
  const document = await documentOf(sandbox);
  document.components.schemas['AccessTokenResponse'] = { type: 'object', required: ['unheardOf'] };
  const { inRequest, inAnswer } = await new ExchangeChecker(document).send(
    new Request(`${sandbox.url}/auth/authenticate/merchantRequest`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...MERCHANT, odd: 1 }),
    }),
  );
  await sandbox.close();
  expect(inAnswer).toEqual([expect.stringContaining('unheardOf')]);
  expect(inRequest).toEqual([expect.stringContaining('odd')]);
});
