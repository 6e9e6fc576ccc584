import type { PaymentView } from '../../base/schema/generated/control.ts';
import type { SandboxClient } from '../../client/client.ts';
import { explanationOf, readExplanations } from '../commands/explain.ts';
import { pay } from '../commands/pay.ts';
import type { ShownRequest } from '../commands/request-text.ts';
import { createReport } from '../commands/session-report.ts';
import { OUTCOMES, settlePayment } from '../commands/settle.ts';
import { EXAMINE_TOOL, PROBE_TOOL } from './examination-tools.ts';
import { arrayOf, createTool, hintForNewSession, membersOfSchema, objectOf, type Tool, withArgument } from './tool.ts';

/** Few items, because an agent reads every word. */
const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 50;
const MAX_UNSEEN_CELLS = 20;
const AMOUNT = { type: 'string', pattern: '^\\d+\\.\\d\\d$', examples: ['10.00'] };
const OUTCOME = { type: 'string', enum: OUTCOMES };
const PAYMENT = membersOfSchema('control/payment', 'id', 'state', 'channel', 'amount', 'currency', 'payerReference');
const CLOCK = membersOfSchema('control/clock-view', 'mode', 'now', 'nextDue');
const ENDPOINT = membersOfSchema('control/endpoint', 'id', 'url', 'secret');
const NAMED = objectOf({ name: { type: 'string' }, description: { type: 'string' } });
const FINDING = membersOfSchema('control/integration-finding', 'id', 'name', 'meaning', 'advice', 'count', 'calls');
const CALL = membersOfSchema('control/request', 'id', 'at', 'method', 'path', 'findings', 'events');

const MAKE_PAYMENT = createTool<{ reference?: string; channel?: string; amount?: string; outcome?: string }>({
  name: 'make_payment',
  title: 'Make a payment',
  description:
    'Makes a payment with the call that an integration would send, so that you see a correct call and its answer, and your receiver gets the notification.',
  properties: {
    reference: { type: 'string', minLength: 1, description: 'payerReference (default: ORDER-1001 and so on)' },
    channel: { type: 'string', minLength: 1, description: 'channel, by its id or walletName (default: qr-wallet)' },
    amount: { ...AMOUNT, description: 'amount with two decimals (default: 10.00)' },
    outcome: { ...OUTCOME, description: 'outcome, decided at once (default: as the scenario plans)' },
  },
  output: objectOf({ payment: PAYMENT, call: CALL }),
  effect: 'changes',
  async run(client, { reference, ...options }) {
    const { call, payment } = await pay(client, reference, options);
    if (payment === undefined) {
      throw new Error(`the call was refused: ${call.answer?.body}`);
    }
    return { payment, call };
  },
});

const SETTLE_PAYMENT = createTool<{ payment: string; outcome: string; code?: string }>({
  name: 'settle_payment',
  title: 'Settle a payment',
  description: 'Decides a payment that is Processing, as its payer would. The notification is sent.',
  properties: {
    payment: { type: 'string', minLength: 1, description: 'id such as payment-1, or your payerReference' },
    outcome: OUTCOME,
    code: { type: 'string', maxLength: 50, description: "code of the outcome, such as 51 (default: the channel's)" },
  },
  required: ['payment', 'outcome'],
  output: PAYMENT,
  effect: 'changes',
  subject: 'payment',
  run: async (client, { payment, outcome, code }) => (await settlePayment(client, payment, outcome, code)).payment,
});

const CHOOSE_SCENARIO = createTool<{ scenario?: string; behaviour?: string }>({
  name: 'choose_scenario',
  title: 'Choose a scenario',
  description:
    'Chooses what happens to payments from now on (scenario), and how the provider answers and notifies (behaviour). `explain` without an id lists all of them. Without arguments, returns the current ones.',
  properties: {
    scenario: { type: 'string', minLength: 1, description: 'name of a scenario, such as late-success' },
    behaviour: { type: 'string', minLength: 1, description: 'name of a behaviour, such as notified-in-other-json' },
  },
  output: objectOf({ scenario: NAMED, behaviour: NAMED }),
  effect: 'changes',
  async run(client, { scenario, behaviour }) {
    if (scenario !== undefined) {
      await withArgument('scenario', client.useScenario(scenario));
    }
    if (behaviour !== undefined) {
      await withArgument('behaviour', client.useBehaviour(behaviour));
    }
    return currentChoice(client);
  },
});

const SET_ENDPOINTS = createTool<{ urls: string[] }>({
  name: 'set_endpoints',
  title: 'Set the webhook endpoints',
  description:
    'Replaces the addresses that get notifications, and returns the signing secret of each. A known address keeps its secret.',
  properties: {
    urls: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      maxItems: DEFAULT_LIMIT,
      description: 'URLs; sandbox:catch stores notifications in the sandbox, without a receiver',
    },
  },
  required: ['urls'],
  output: objectOf({ endpoints: arrayOf(ENDPOINT) }),
  effect: 'changes',
  subject: 'urls',
  run: (client, { urls }) => client.setEndpoints(urls),
});

const ADVANCE_CLOCK = createTool<{ by?: string }>({
  name: 'advance_clock',
  title: 'Advance the clock',
  description:
    'Moves the clock of the session, and runs everything that becomes due: expiries, charges, retries of notifications. Returns what happened.',
  properties: {
    by: { type: 'string', minLength: 1, description: 'duration such as 15m (default: until only settlements are due)' },
  },
  output: CLOCK,
  effect: 'changes',
  run: (client, { by }) => (by === undefined ? client.runUntilIdle() : client.advance(by)),
});

const SHOW_CALL = createTool<{ call?: string }>({
  name: 'show_call',
  title: 'Show a call with its findings',
  description:
    'Returns a call of the integration: request, answer, effects, and each finding with its JSON path, the expected and the received value.',
  properties: { call: { type: 'string', minLength: 1, description: 'id such as request-1 (default: the last call)' } },
  output: CALL,
  subject: 'call',
  async run(client, { call }) {
    const [last] = call === undefined ? (await client.list<ShownRequest>('requests', { limit: 1 })).items : [];
    const id = call ?? last?.id;
    if (id === undefined) {
      throw new Error(hintForNewSession(client));
    }
    return client.call<ShownRequest>('GET', `/requests/${encodeURIComponent(id)}`);
  },
});

const LIST_PAYMENTS = createTool<{ reference?: string; state?: string; limit?: number; cursor?: string }>({
  name: 'list_payments',
  title: 'List payments',
  description: 'Lists payments, newest first. Pass `nextCursor` as `cursor` to get the next page.',
  properties: {
    reference: { type: 'string', description: 'only payments with this payerReference' },
    state: { type: 'string', enum: ['Processing', ...OUTCOMES] },
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: MAX_LIMIT,
      description: `maximum number (default ${DEFAULT_LIMIT})`,
    },
    cursor: { type: 'string', minLength: 1, description: 'nextCursor of the previous page' },
  },
  output: objectOf({ items: arrayOf(PAYMENT), nextCursor: { type: ['string', 'null'] } }),
  run: (client, { reference, limit = DEFAULT_LIMIT, ...others }) =>
    client.list<PaymentView>('payments', { ...others, limit, payerReference: reference }),
});

const REPORT = createTool<object>({
  name: 'report',
  title: 'Report on the integration',
  description:
    'Returns mistakes of the integration that were not refused, each with advice; what was checked; and behaviours of the provider that it has never seen, each with a line that tests it.',
  properties: {},
  output: objectOf({
    findings: arrayOf(FINDING),
    checked: { type: 'object' },
    unseen: objectOf({ count: { type: 'integer' }, first: arrayOf({ type: 'object' }) }),
  }),
  async run(client) {
    const { findings, checked, coverage } = await createReport(client);
    const unseen = coverage.cells.filter(({ degree }) => degree !== 'seen');
    return { findings, checked, unseen: { count: unseen.length, first: unseen.slice(0, MAX_UNSEEN_CELLS) } };
  },
});

const EXPLAIN = createTool<{ id?: string }>({
  name: 'explain',
  title: 'Explain a scenario, behaviour, refusal or finding',
  description: 'Returns its meaning and what to do about it; without an id, lists all of them.',
  properties: { id: { type: 'string', minLength: 1, description: 'id or name, such as SBX-W08 or late-success' } },
  output: objectOf({
    items: arrayOf(objectOf({ id: { type: 'string' }, kind: { type: 'string' }, ...NAMED.properties })),
  }),
  async run(_client, { id }) {
    return { items: id === undefined ? readExplanations().map(summarize) : [explanationOf(id)] };
  },
});

const GET_STATE = createTool<object>({
  name: 'get_state',
  title: 'Get the state of the session',
  description:
    'Returns an overview of the session: its base address for the integration, clock, scenario, behaviour, endpoints, counts of payments and notifications, refused calls, and what is due next.',
  properties: {},
  output: objectOf({
    baseUrl: { type: 'string' },
    clock: CLOCK,
    scenario: NAMED,
    behaviour: NAMED,
    endpoints: arrayOf(ENDPOINT),
    overview: membersOfSchema('control/overview', 'payments', 'calls', 'deliveries'),
    due: arrayOf(membersOfSchema('control/job', 'kind', 'recordId', 'dueAt', 'what')),
  }),
  async run(client) {
    const [clock, choice, { endpoints }, overview, { items: due }] = await Promise.all([
      client.clock(),
      currentChoice(client),
      client.endpoints(),
      client.call<object>('GET', '/overview'),
      client.list('jobs', { limit: DEFAULT_LIMIT }),
    ]);
    return { baseUrl: client.baseUrl, clock, ...choice, endpoints, overview, due };
  },
});

/** THE TABLE of tools, in the order in which an agent needs them. */
export const TOOLS: readonly Tool[] = [
  GET_STATE,
  MAKE_PAYMENT,
  SETTLE_PAYMENT,
  SHOW_CALL,
  LIST_PAYMENTS,
  CHOOSE_SCENARIO,
  SET_ENDPOINTS,
  ADVANCE_CLOCK,
  REPORT,
  EXPLAIN,
  EXAMINE_TOOL,
  PROBE_TOOL,
];

async function currentChoice(client: SandboxClient) {
  const [scenario, behaviour] = await Promise.all([client.currentScenario(), client.currentBehaviour()]);
  return { scenario: summarize(scenario), behaviour: summarize(behaviour) };
}

/** Omits advice, rules and facts, which `explain` returns for a single id. */
function summarize<Item extends { id?: string; kind?: string; name: string; description: string }>(item: Item) {
  const { id, kind, name, description } = item;
  return { id, kind, name, description };
}
