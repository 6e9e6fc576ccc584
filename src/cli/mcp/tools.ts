import { loadSchema } from '../../base/schema/load-schema.ts';
import { schemaMembers } from '../../base/schema/references.ts';
import type { SandboxClient } from '../../client/client.ts';
import type { ControlOperation } from '../../server/control-api/control-operation.ts';
import { CONTROL_OPERATIONS } from '../../server/control-api/operations.ts';

/** THE TABLE of tools: the control operations for agents, in the order in which they are listed. */
const TOOLS: readonly ControlOperation['name'][] = [
  'listRequests',
  'getRequest',
  'verifyRequests',
  'listFindings',
  'listPayments',
  'getPayment',
  'getPaymentTimeline',
  'settlePayment',
  'addAdjustment',
  'listPayouts',
  'getPayout',
  'getPayoutTimeline',
  'settlePayout',
  'settleCredit',
  'listDeliveries',
  'replayDelivery',
  'resumeEndpoint',
  'listJobs',
  'listScenarios',
  'chooseScenario',
  'listBehaviours',
  'chooseBehaviour',
  'getClock',
  'advanceClock',
  'runUntilIdle',
  'forkSession',
  'reset',
];

/** Default number of items in a list, which is low because an agent reads every word. */
const FEW = 10;
const MOST = 50;
const LIMIT = {
  type: 'integer',
  minimum: 1,
  maximum: MOST,
  default: FEW,
  description: `maximum number of items (default ${FEW})`,
};
/** Maximum length of a text in an answer. */
const LONGEST_TEXT = 500;

type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;
interface JsonObject {
  [member: string]: JsonValue;
}

/** The parameter that identifies a record. */
const ID = {
  type: 'string',
  description: 'id, such as payment-1; for a payment or payout, your own reference works too',
};

/** Other parameters in paths. */
const IN_PATH: Readonly<Record<string, JsonObject>> = {
  number: { type: 'integer', minimum: 1, description: 'position of the credit in the payout, from 1' },
  name: { type: 'string', description: 'session to fork' },
};

/** Cancellation and progress of a long call. */
export interface ToolCallContext {
  /** Fires when the agent cancels the call. */
  signal: AbortSignal;
  onProgress(message: string): void;
}

/** A tool of the Model Context Protocol. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  inputSchema: {
    type: 'object';
    properties: Record<string, JsonObject>;
    required: string[];
    additionalProperties: false;
  };
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; openWorldHint: boolean };
  /** Resolves with the sandbox's answer as JSON. Rejects with ControlError if the sandbox refuses the call. */
  call(given: Readonly<Record<string, unknown>>, watch?: ToolCallContext): Promise<string>;
}

/** The tools for a session of a running sandbox; each accepts the name of another session as well. */
export function toolsOf(client: SandboxClient): Tool[] {
  return TOOLS.map((name) => {
    const operation = CONTROL_OPERATIONS.find((row) => row.name === name);
    if (!operation) {
      throw new Error(`the control table has no ${name}`);
    }
    return toolFor(operation, client);
  });
}

function toolFor(operation: ControlOperation, client: SandboxClient): Tool {
  const { name, summary, description, method, isRead } = operation;
  const inputs = inputsOf(operation);
  const session = { type: 'string', description: `session (default: ${client.session})` };
  return {
    name: name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    title: summary,
    description,
    inputSchema: {
      type: 'object',
      properties: { ...Object.fromEntries(inputs.map((input) => [input.name, input.schema])), session },
      required: inputs.filter(({ isNeeded }) => isNeeded).map((input) => input.name),
      additionalProperties: false,
    },
    annotations: {
      readOnlyHint: method === 'GET' || isRead === true,
      destructiveHint: name === 'reset',
      openWorldHint: false,
    },
    call: (given) => call(operation, inputs, client, given),
  };
}

/** The input of a tool, with the place of each member in the operation. Names are unique within an operation. */
interface Input {
  name: string;
  place: 'path' | 'query' | 'body';
  schema: JsonObject;
  isNeeded: boolean;
}

function inputsOf({ path, query, request }: ControlOperation): Input[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? []);
  const inQuery = Object.entries<JsonObject>(query === undefined ? {} : schemaMembers(query));
  const inBody = Object.entries<JsonObject>(request === undefined ? {} : schemaMembers(request));
  const needed: readonly string[] = request === undefined ? [] : (loadSchema(request)['required'] ?? []);
  return [
    ...inPath.map((name) => ({
      name,
      place: 'path' as const,
      schema: IN_PATH[name] ?? ID,
      isNeeded: true,
    })),
    ...inQuery.map(([name, schema]) => ({
      name,
      place: 'query' as const,
      schema: name === 'limit' ? LIMIT : schema,
      isNeeded: false,
    })),
    ...inBody.map(([name, schema]) => ({ name, place: 'body' as const, schema, isNeeded: needed.includes(name) })),
  ];
}

async function call(
  { name, method, path, request }: ControlOperation,
  inputs: readonly Input[],
  client: SandboxClient,
  { session, ...given }: Readonly<Record<string, unknown>>,
): Promise<string> {
  const unknown = Object.keys(given).filter((member) => !inputs.some((input) => input.name === member));
  if (unknown.length > 0) {
    const known = ['session', ...inputs.map((input) => input.name)].join(', ');
    throw new Error(`${name} takes no ${unknown.join(', ')}; it takes ${known}`);
  }
  const missing = inputs.filter(({ name: input, place }) => place === 'path' && given[input] === undefined);
  if (missing.length > 0) {
    throw new Error(`${name} needs ${missing.map((input) => input.name).join(', ')}`);
  }
  if (Number(given['limit']) > MOST) {
    throw new Error(`limit is at most ${MOST} here; use nextCursor to get the next page`);
  }
  const givenIn = (place: Input['place']) =>
    inputs
      .filter((input) => input.place === place && Object.hasOwn(given, input.name))
      .map((input) => [input.name, given[input.name]] as const);
  const isList = inputs.some((input) => input.name === 'limit');
  const query = { ...(isList ? { limit: FEW } : {}), ...Object.fromEntries(givenIn('query')) };
  const search = new URLSearchParams(
    Object.entries(query).map(([member, value]) => [member, String(value)]),
  ).toString();
  const place = path.replace(/\{(\w+)\}/g, (_, member) => encodeURIComponent(String(given[member])));
  const body = request === undefined ? undefined : Object.fromEntries(givenIn('body'));
  const target = session === undefined ? client : client.inSession(String(session));
  const answer = await target.call(method, search === '' ? place : `${place}?${search}`, body);
  return JSON.stringify(answer ?? null, cutLongTexts);
}

/** Cuts long texts, such as pictures, which are useless to an agent. */
function cutLongTexts(_name: string, value: unknown): unknown {
  return typeof value === 'string' && value.length > LONGEST_TEXT
    ? `${value.slice(0, LONGEST_TEXT)}… (${value.length} characters)`
    : value;
}
