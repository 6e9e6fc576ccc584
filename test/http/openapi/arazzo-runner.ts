import { PNG } from '../../interface/examples.ts';
import { type Document, type Listed, operationsIn, resolve } from './document.ts';

/** As much of an Arazzo document as this runner follows. */
export interface Arazzo {
  sourceDescriptions: { name: string; url: string; type: string }[];
  workflows: Workflow[];
  components: { inputs: Record<string, { properties: Record<string, { default: string }> }> };
}

export interface Workflow {
  workflowId: string;
  inputs: { $ref: string };
  parameters: Parameter[];
  steps: Step[];
}

interface Parameter {
  name: string;
  in: string;
  value: string;
}

export interface Step {
  stepId: string;
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { contentType: string; payload: unknown };
  successCriteria: { condition: string }[];
  outputs?: Record<string, string>;
}

/** What is known while a step runs. */
interface Context {
  inputs: Record<string, string>;
  outputs: Record<string, Record<string, unknown>>;
  statusCode?: number;
  body?: unknown;
}

/** A criterion that did not hold. */
export interface Failure {
  stepId: string;
  condition: string;
  received: unknown;
}

/** Runs a workflow as the Arazzo Specification 1.0.1 says, with the defaults of its inputs and its one source. Returns what did not hold. */
export async function runWorkflow(arazzo: Arazzo, workflow: Workflow, document: Document): Promise<Failure[]> {
  const context: Context = { inputs: defaultsOf(arazzo, workflow), outputs: {} };
  const failures: Failure[] = [];
  for (const step of workflow.steps) {
    const answer = await fetch(requestOf(step, workflow, document, context));
    const text = await answer.text();
    const answered = { ...context, statusCode: answer.status, body: text === '' ? undefined : JSON.parse(text) };
    failures.push(...failuresOf(step, answered));
    const outputs = Object.entries(step.outputs ?? {});
    context.outputs[step.stepId] = Object.fromEntries(outputs.map(([name, each]) => [name, evaluated(each, answered)]));
  }
  return failures;
}

function defaultsOf({ components }: Arazzo, { inputs }: Workflow): Record<string, string> {
  const schema = components.inputs[inputs.$ref.replace('#/components/inputs/', '')];
  return Object.fromEntries(Object.entries(schema?.properties ?? {}).map(([name, each]) => [name, each.default]));
}

function requestOf(step: Step, workflow: Workflow, document: Document, context: Context): Request {
  const operation = operationsIn(document).find(({ operationId }) => operationId === step.operationId);
  if (!operation) {
    throw new Error(`the OpenAPI document has no ${step.operationId}`);
  }
  const parameters = [...workflow.parameters, ...(step.parameters ?? [])].map((parameter) => ({
    ...parameter,
    value: String(resolved(parameter.value, context)),
  }));
  const url = new URL(document.servers[0]?.url + pathOf(operation, parameters));
  const headers = new Headers();
  for (const { name, in: place, value } of parameters) {
    if (place === 'query') {
      url.searchParams.set(name, value);
    } else if (place === 'header') {
      headers.set(name, value);
    }
  }
  const { contentType, payload } = step.requestBody ?? {};
  if (contentType === 'application/json') {
    headers.set('Content-Type', contentType);
  }
  const body =
    payload === undefined ? null : bodyOf(contentType, resolved(payload, context), filesOf(operation, document));
  return new Request(url, { method: operation.method, headers, body });
}

function pathOf({ path }: Listed, parameters: readonly Parameter[]): string {
  return path.replace(/\{(\w+)\}/g, (_, wanted: string) => {
    const found = parameters.find(({ name, in: place }) => place === 'path' && name === wanted);
    return encodeURIComponent(found?.value ?? '');
  });
}

/** The members of a form that are files: Arazzo has no way to write one, so the name stands in its place. */
function filesOf({ requestBody }: Listed, document: Document): string[] {
  const form = requestBody?.content['multipart/form-data']?.schema;
  const { properties = {} } = resolve<{ properties?: Record<string, { format?: string }> }>(document, form ?? {});
  return Object.keys(properties).filter((name) => properties[name]?.format === 'binary');
}

function bodyOf(contentType: string | undefined, payload: unknown, files: readonly string[]): string | FormData {
  if (contentType !== 'multipart/form-data') {
    return JSON.stringify(payload);
  }
  const form = new FormData();
  for (const [name, value] of Object.entries(payload as Record<string, string>)) {
    form.set(name, files.includes(name) ? new File([PNG], value, { type: 'image/png' }) : value);
  }
  return form;
}

/** A value with each runtime expression in it replaced: a whole text, or parts of one in braces. */
function resolved(value: unknown, context: Context): unknown {
  if (typeof value === 'string') {
    return value.startsWith('$')
      ? evaluated(value, context)
      : value.replace(/\{(\$[^}]+)\}/g, (_, expression: string) => String(evaluated(expression, context)));
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const entries = Object.entries(value).map(([name, member]) => [name, resolved(member, context)] as const);
  return Array.isArray(value) ? entries.map(([, member]) => member) : Object.fromEntries(entries);
}

/** undefined where there is none, which no criterion equals. */
function evaluated(expression: string, { inputs, outputs, statusCode, body }: Context): unknown {
  const [kind, ...rest] = expression.split(/[.#]/);
  if (kind === '$statusCode') {
    return statusCode;
  }
  if (kind === '$inputs') {
    return inputs[rest.join('.')];
  }
  const [name = '', place, output = ''] = rest;
  if (kind === '$steps' && place === 'outputs') {
    return outputs[name]?.[output];
  }
  if (kind === '$response' && name === 'body') {
    return at(expression.slice(expression.indexOf('#') + 1), body);
  }
  throw new Error(`this runner does not know ${expression}`);
}

function at(pointer: string, body: unknown): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((here, key) => (here as Record<string, unknown> | undefined)?.[key], body);
}

function failuresOf({ stepId, successCriteria }: Step, context: Context): Failure[] {
  return successCriteria.flatMap(({ condition }) => {
    const [, expression = '', wanted = ''] = /^(\S+) == (.+)$/.exec(condition) ?? [];
    const received = evaluated(expression, context);
    const [, text] = /^'(.*)'$/.exec(wanted) ?? [];
    return received === (text ?? Number(wanted)) ? [] : [{ stepId, condition, received }];
  });
}
