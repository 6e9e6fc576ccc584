import { createConfig, lintFromString } from '@redocly/openapi-core';
import { exchangeFiles, readExchanges } from '../../../scripts/exchanges.mjs';
import { type Sandbox, startSandbox } from '../../sandbox.ts';
import { type Arazzo, type Failure, runWorkflow, type Workflow } from './arazzo-runner.ts';
import { type Document, documentOf, operationsIn } from './document.ts';

/** When the golden exchanges happened. */
const NOW = Date.parse('2026-03-01T10:00:00.000Z');

let sandbox: Sandbox;
let arazzo: Arazzo;
let document: Document;

beforeAll(async () => {
  sandbox = await startSandbox({ now: NOW });
  arazzo = await workflowsOf(sandbox.url);
  document = await documentOf(sandbox);
});
afterAll(() => sandbox.close());

async function workflowsOf(url: string): Promise<Arazzo> {
  return (await fetch(`${url}/_sandbox/arazzo.json`)).json() as Promise<Arazzo>;
}

function workflow(id: string): Workflow {
  const found = arazzo.workflows.find(({ workflowId }) => workflowId === id);
  if (!found) {
    throw new Error(`there is no workflow ${id}`);
  }
  return found;
}

/** Runs a workflow in a session of its own. */
function run(each: Workflow, session = each.workflowId): Promise<Failure[]> {
  return runWorkflow(arazzo, each, { ...document, servers: [{ url: `${sandbox.url}/s/${session}` }] });
}

it('passes the Redocly linter without a finding', async () => {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const problems = await lintFromString({ source: JSON.stringify(arazzo), absoluteRef: 'arazzo.json', config });
  expect(problems.map(({ message, location }) => [message, location[0]?.pointer])).toEqual([]);
});

it('has each golden exchange that begins with a call of the merchant, step by step', () => {
  const stories = exchangeFiles().filter((file) => {
    const [first] = readExchanges(file).exchanges;
    return !first?.request.includes('/_sandbox/');
  });
  // What has an unknown path is no call of an operation.
  const expected = stories.filter((file) => file !== 'refusals.txt').map((file) => file.replace('.txt', ''));
  expect(arazzo.workflows.map(({ workflowId }) => workflowId).sort()).toEqual(expected.sort());
  for (const { workflowId, steps } of arazzo.workflows) {
    expect(steps).toHaveLength(readExchanges(`${workflowId}.txt`).exchanges.length);
  }
});

it('calls operations of the OpenAPI document of the same session only', async () => {
  const known = operationsIn(document).map(({ operationId }) => operationId);
  const called = arazzo.workflows.flatMap(({ steps }) => steps.map(({ operationId }) => operationId));
  expect(called.filter((id) => !known.includes(id))).toEqual([]);
  const { sourceDescriptions } = await workflowsOf(`${sandbox.url}/s/mine`);
  const url = `${sandbox.url}/s/mine/_sandbox/openapi.json`;
  expect(sourceDescriptions).toEqual([{ name: 'sandbox', url, type: 'openapi' }]);
});

it('carries tokens and ids from step to step, and takes credentials and references from the inputs', () => {
  const [asked, token, added] = workflow('recurring-payment').steps;
  expect(asked?.outputs).toEqual({ token: '$response.body#/token' });
  expect(token?.parameters).toEqual([
    { name: 'Authorization', in: 'header', value: 'Bearer {$steps.getAccessToken.outputs.token}' },
  ]);
  expect(added?.requestBody?.payload).toMatchObject({
    recurringMerchantId: '$inputs.merchantId',
    recurringPaymentToken: '$steps.requestPaymentTokenSandbox.outputs.paymentToken',
  });
  const [, settled] = workflow('control-refunds').steps;
  expect(settled).toMatchObject({
    operationId: 'settlePayment',
    parameters: [{ name: 'id', in: 'path', value: '$inputs.payerReference' }],
    successCriteria: [
      { condition: '$statusCode == 200' },
      { condition: "$response.body#/state == 'Paid'" },
      { condition: "$response.body#/status == 'Paid'" },
    ],
  });
});

it('holds against a sandbox: every criterion of every step, each workflow in a session of its own', async () => {
  for (const each of arazzo.workflows) {
    expect([each.workflowId, await run(each)]).toEqual([each.workflowId, []]);
  }
});

it('has criteria that a wrong answer fails', async () => {
  const refunds = workflow('control-refunds');
  const steps = refunds.steps.filter(({ operationId }) => operationId !== 'settlePayment');
  const failures = await run({ ...refunds, steps }, 'not-settled');
  expect(failures).toContainEqual({ stepId: 'addAdjustment', condition: '$statusCode == 200', received: 409 });
});
