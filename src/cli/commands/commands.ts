import type { SandboxClient } from '../../client/client.ts';
import { type Command, type CommandResult, type Options, UsageError } from '../../command/command.ts';
import { type Row, tableOf } from '../../command/show.ts';
import { type Suggestion, suggestFilters } from '../../command/suggestion.ts';
import { EXAMINE_COMMANDS } from '../../examine/commands/commands.ts';
import { RECORDING_COMMANDS } from '../../recordings/commands/commands.ts';
import { BOOK_COMMANDS } from './books.ts';
import { CLOCK_COMMAND } from './clock.ts';
import { COVERAGE_COMMAND } from './coverage.ts';
import { DELIVERY_COMMANDS } from './deliveries.ts';
import { EVENTS_COMMAND } from './events.ts';
import { followRequests } from './events-text.ts';
import { EXPLAIN_COMMAND } from './explain.ts';
import { FINDINGS_COMMAND } from './findings.ts';
import { HISTORY_COMMANDS } from './histories.ts';
import { describeFilters, fetchList, listCommand, parseFilters, showList } from './lists.ts';
import { MCP_COMMAND } from './mcp.ts';
import { OPEN_COMMAND } from './open.ts';
import { PAY_COMMAND } from './pay.ts';
import { READINESS_COMMANDS } from './readiness.ts';
import { REPORT_COMMAND } from './report.ts';
import { type ShownRequest, textOfRequest } from './request-text.ts';
import { PAYMENT_COLUMNS, PAYOUT_COLUMNS, SETTLE_COMMANDS } from './settle.ts';
import { STATEMENT_COMMAND } from './statement.ts';

const REQUEST_COLUMNS = ['id', 'at', 'call', 'status', 'reference', 'reason'];

const MAX_REASON_LENGTH = 160;

/** THE TABLE of commands, except `start`, `demo`, `completion` and `help`, which `main` adds. */
export const COMMANDS: readonly Command[] = [
  PAY_COMMAND,
  choiceCommand({
    name: 'scenario',
    help: 'list the scenarios, or use one for the session',
    choose: (client, name) => client.useScenario(name),
    list: (client) => client.scenarios(),
    current: (client) => client.currentScenario(),
  }),
  choiceCommand({
    name: 'behaviour',
    help: 'list the behaviours of the provider, or use one for the session',
    choose: (client, name) => client.useBehaviour(name),
    list: (client) => client.behaviours(),
    current: (client) => client.currentBehaviour(),
  }),
  CLOCK_COMMAND,
  {
    name: 'requests',
    parameters: ['[id-or-filter...]'],
    options: [{ flags: '--follow', help: 'print the requests so far, then each new one, until you stop it' }],
    help: 'list the latest requests, newest first, or show one by its id',
    details: () => describeFilters('control/requests-query'),
    async suggest(client, args, current) {
      const isFirst = args.length === 0 && !current.includes('=');
      const calls = isFirst ? (await client.list<ShownRequest>('requests')).items.map(suggestRequest) : [];
      return [...calls, ...suggestFilters('control/requests-query', current)];
    },
    async run(client, words, options) {
      const { follow } = options;
      const [id] = words;
      if (words.length === 1 && id !== undefined && !id.includes('=')) {
        return showRequest(client, id, follow === true);
      }
      const filters = parseFilters(words, 'control/requests-query');
      return follow ? followRequests(client, filters) : listRequests(client, filters, options);
    },
  },
  listCommand({
    name: 'payments',
    help: 'list payments, newest first, or show one with its timeline by its id or your reference',
    path: 'payments',
    query: 'control/payments-query',
    columns: PAYMENT_COLUMNS,
    canShowOne: true,
    hasTimeline: true,
  }),
  listCommand({
    name: 'payouts',
    help: 'list payouts, newest first, or show one with its timeline by its id or your reference',
    path: 'payouts',
    query: 'control/payouts-query',
    columns: PAYOUT_COLUMNS,
    canShowOne: true,
    hasTimeline: true,
  }),
  listCommand({
    name: 'links',
    help: 'list payment links, newest first, or show one by its id or your reference',
    path: 'links',
    query: 'control/links-query',
    columns: ['id', 'reference', 'name', 'amount', 'currency', 'type', 'paid', 'url'],
    canShowOne: true,
  }),
  listCommand({
    name: 'recurring',
    help: 'list recurring payments, newest first, or show one by its id or your reference',
    path: 'recurring-payments',
    query: 'control/recurring-payments-query',
    columns: ['id', 'state', 'reference', 'amount', 'currency', 'intervalName', 'charges', 'nextChargeAt'],
    canShowOne: true,
  }),
  listCommand({
    name: 'shop-codes',
    help: 'list shop codes, newest first, or show one by its id or your reference',
    path: 'shop-codes',
    query: 'control/shop-codes-query',
    columns: ['id', 'reference', 'amount', 'currency', 'active', 'scans', 'url'],
    canShowOne: true,
  }),
  ...SETTLE_COMMANDS,
  ...BOOK_COMMANDS,
  STATEMENT_COMMAND,
  listCommand({
    name: 'jobs',
    help: 'list scheduled and running jobs, the next one first',
    path: 'jobs',
    query: 'control/jobs-query',
    columns: ['dueAt', 'kind', 'recordId', 'state', 'waitsFor'],
    canShowOne: false,
  }),
  ...DELIVERY_COMMANDS,
  EVENTS_COMMAND,
  listCommand({
    name: 'sessions',
    help: 'list the sessions',
    path: 'sessions',
    query: 'control/page-query',
    columns: ['name', 'scenario', 'behaviour', 'clock', 'now', 'seed', 'forkedFrom', 'url'],
    canShowOne: false,
  }),
  {
    name: 'reset',
    parameters: [],
    help: 'delete all records of the session, and restore its initial endpoints, scenario, behaviour and clock',
    details: () =>
      'Endpoints and scenarios that were set for the session are deleted. Endpoints of --webhook-url and merchants.json are kept.',
    async run(client) {
      const session = await client.reset();
      return { ...tableOf([session], ['name', 'scenario', 'behaviour', 'clock', 'now', 'seed']), data: session };
    },
  },
  {
    name: 'har',
    parameters: [],
    help: 'print requests and notifications as an HTTP Archive (HAR)',
    async run(client) {
      const archive = await client.httpArchive();
      return { data: archive, text: JSON.stringify(archive, null, 2) };
    },
  },
  ...HISTORY_COMMANDS,
  OPEN_COMMAND,
  ...RECORDING_COMMANDS,
  ...EXAMINE_COMMANDS,
  FINDINGS_COMMAND,
  COVERAGE_COMMAND,
  REPORT_COMMAND,
  EXPLAIN_COMMAND,
  ...READINESS_COMMANDS,
  MCP_COMMAND,
];

async function listRequests(
  client: SandboxClient,
  filters: Record<string, string>,
  options: Options,
): Promise<CommandResult> {
  const list = await fetchList<ShownRequest>(client, 'requests', filters, options);
  return showList(list, tableOf(list.items.map(rowOfRequest), REQUEST_COLUMNS));
}

async function showRequest(client: SandboxClient, id: string, follow: boolean): Promise<CommandResult> {
  if (follow) {
    throw new UsageError(`--follow takes filters, such as operation=initiatePayment, not ${id}`);
  }
  const request = await client.call<ShownRequest>('GET', `/requests/${encodeURIComponent(id)}`);
  return { data: request, text: textOfRequest(request, client.baseUrl) };
}

type Choice = { name: string; description: string };

/** A command that lists the scenarios or behaviours, or chooses one for the session. */
function choiceCommand({
  choose,
  list,
  current,
  ...facts
}: Pick<Command, 'name' | 'help'> & {
  choose(client: SandboxClient, name: string): Promise<Row>;
  list(client: SandboxClient): Promise<{ items: Choice[] }>;
  current(client: SandboxClient): Promise<Choice>;
}): Command {
  return {
    ...facts,
    parameters: ['[name]'],
    suggest: async (client, args) =>
      args.length === 0
        ? (await list(client)).items.map(({ name, description }) => ({ word: name, help: description }))
        : [],
    async run(client, [name]) {
      if (name !== undefined) {
        const choice = await choose(client, name);
        return { ...tableOfChoices([choice], choice), data: choice };
      }
      const [{ items }, active] = await Promise.all([list(client), current(client)]);
      return tableOfChoices(items, active);
    },
  };
}

/** The active choice is marked with * for people, and with a boolean for programs. */
function tableOfChoices(choices: readonly Row[], active: Row): CommandResult {
  const rows = choices.map((choice) => ({ active: choice['name'] === active['name'], ...choice }));
  const markedRows = rows.map((row) => ({ ...row, active: row.active ? '*' : '' }));
  return { ...tableOf(markedRows, ['active', 'name', 'id', 'description']), data: rows };
}

function suggestRequest(request: ShownRequest): Suggestion {
  const { id, operation, method, path, answer } = request;
  return { word: id, help: `${operation ?? `${method} ${path}`} ${answer?.status ?? 'no answer'}` };
}

/** The reason is why the call was refused, else its first warning, else its outcome. */
function rowOfRequest(request: ShownRequest): object {
  const { operation, method, path, answer, findings, outcome } = request;
  const warnings = findings.map(
    (each) => `warning: ${each.path}: expected ${each.expected}, received ${each.received}`,
  );
  const reason = request.reason ?? warnings[0] ?? outcome ?? '';
  return {
    ...request,
    call: operation ?? `${method} ${path}`,
    status: answer?.status ?? 'no answer',
    reason: reason.length > MAX_REASON_LENGTH ? `${reason.slice(0, MAX_REASON_LENGTH)}…` : reason,
  };
}
