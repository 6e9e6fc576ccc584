import type { DescribedOperation } from './described-operation.ts';
import { allExamples, type Example, patternOf } from './examples.ts';
import { INPUTS, textsIn, WorkflowValues } from './workflow-values.ts';

type Json = Record<string, unknown>;

const DESCRIPTION = `
The golden exchanges of the sandbox as workflows: each step is a call of the OpenAPI document, and its success criteria are the
status and the words of state that the tests hold the sandbox to. The inputs have the values of a merchant that every sandbox has.
Each workflow wants a session in which it has not run before, such as one of its own (\`/s/{name}\`).
Arazzo has no way to write a file: where a form has one, its name stands, and the step is refused unless a file is sent.
`.trim();

/** Answers are JSON in \`text/plain\` unless a call asks for more, and runners read JSON by its media type. */
const ACCEPT = { name: 'Accept', in: 'header', value: 'application/json' };

/** Members whose values are words of a fixed set. */
const WORDS = ['status', 'state'];

/** The operation that an exchange called, and what the call has in place of the braces of its path. */
interface Called {
  operation: DescribedOperation;
  parameters: Readonly<Record<string, string>>;
}

/** The golden exchanges as an Arazzo 1.0 document, whose steps call the operations of the OpenAPI document. */
export function arazzoDocument(operations: readonly DescribedOperation[], version: string, url: string): Json {
  const examples = allExamples();
  const names = [...new Set(examples.map(({ name }) => name))];
  return {
    arazzo: '1.0.1',
    info: {
      title: 'merchant-sandbox workflows',
      version,
      summary: 'Payments, links, payouts and recurring payments, call by call.',
      description: DESCRIPTION,
    },
    sourceDescriptions: [{ name: 'sandbox', url: `${url}/_sandbox/openapi.json`, type: 'openapi' }],
    workflows: names.flatMap((name) =>
      workflowOf(
        name,
        examples.filter((example) => example.name === name),
        operations,
      ),
    ),
    components: {
      inputs: {
        merchant: {
          type: 'object',
          properties: Object.fromEntries(
            Object.entries(INPUTS).map(([name, input]) => [name, { type: 'string', ...input }]),
          ),
        },
      },
    },
  };
}

/** None where a step cannot be expressed, or the first one is no call of the merchant: what begins otherwise shows the control API. */
function workflowOf(
  workflowId: string,
  exchanges: readonly Example[],
  operations: readonly DescribedOperation[],
): Json[] {
  const called = exchanges.map((exchange) => calledBy(exchange, operations));
  if (called[0]?.operation.tag === 'control') {
    return [];
  }
  const values = new WorkflowValues();
  const steps: Json[] = [];
  for (const [index, exchange] of exchanges.entries()) {
    const stepId = stepIdOf(called, index);
    const step = called[index] && stepOf(stepId, exchange, called[index], values);
    if (!step) {
      return [];
    }
    const outputs = {};
    values.take(exchange.answer, stepId, outputs);
    steps.push({ ...step, outputs });
  }
  const [first] = exchanges;
  return [
    {
      workflowId,
      summary: first?.title,
      inputs: { $ref: '#/components/inputs/merchant' },
      parameters: [ACCEPT],
      steps: steps.map(withoutEmpty),
    },
  ];
}

function calledBy({ method, path }: Example, operations: readonly DescribedOperation[]): Called | undefined {
  const found = operations
    .filter((operation) => operation.method.toUpperCase() === method)
    .flatMap((operation) =>
      [operation.path, ...operation.aliases].flatMap((each) => {
        const match = patternOf(each).exec(path);
        return match ? [{ operation, parameters: { ...match.groups } }] : [];
      }),
    );
  // Of two, the one whose path is written out.
  return found.toSorted((one, other) => Object.keys(one.parameters).length - Object.keys(other.parameters).length)[0];
}

function stepIdOf(called: readonly (Called | undefined)[], index: number): string {
  const name = called[index]?.operation.operationId ?? '';
  const before = called.slice(0, index).filter((each) => each?.operation.operationId === name).length;
  return before === 0 ? name : `${name}-${before + 1}`;
}

function stepOf(
  stepId: string,
  { query, request, status, answer }: Example,
  { operation, parameters }: Called,
  values: WorkflowValues,
): Json | undefined {
  const needsToken = operation.security.length > 0 && operation.security.every((each) => 'bearer' in each);
  const authorization = needsToken ? values.authorization() : undefined;
  if (needsToken && authorization === undefined) {
    return undefined;
  }
  const parametersOf = (place: string, members: Readonly<Record<string, string>>) =>
    Object.entries(members).map(([name, value]) => ({ name, in: place, value: values.expressionFor(value) }));
  return {
    stepId,
    description: operation.summary,
    operationId: operation.operationId,
    parameters: [
      ...parametersOf('path', parameters),
      ...parametersOf('query', query),
      ...(authorization === undefined ? [] : [{ name: 'Authorization', in: 'header', value: authorization }]),
    ],
    ...(request === undefined
      ? {}
      : { requestBody: { contentType: operation.request?.mediaType, payload: values.expressionFor(request) } }),
    successCriteria: [{ condition: `$statusCode == ${status}` }, ...criteriaOf(answer)],
  };
}

function criteriaOf(answer: unknown): { condition: string }[] {
  return textsIn(answer)
    .filter(({ name, pointer }) => WORDS.includes(name) && !/\/\d+(\/|$)/.test(pointer))
    .map(({ pointer, value }) => ({ condition: `$response.body#${pointer} == '${value}'` }));
}

function withoutEmpty(step: Json): Json {
  return Object.fromEntries(Object.entries(step).filter(([, value]) => Object.keys(Object(value)).length > 0));
}
