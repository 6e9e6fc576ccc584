import type { SandboxClient, ShownDelivery, ShownEvent } from '../client/client.ts';

/** What a command has to show: rows of a table, or events as they come. */
export type Shown = readonly object[] | AsyncIterable<ShownEvent>;

/** A command that talks to a running sandbox. */
export interface Command {
  name: string;
  /** Its arguments as the command line writes them: `<needed>`, `[optional]`. */
  parameters: readonly string[];
  help: string;
  /** The columns of its table; `--json` shows everything. */
  columns: readonly string[];
  run(client: SandboxClient, parameters: readonly (string | undefined)[]): Promise<Shown>;
}

const EVENT_COLUMNS = ['id', 'at', 'type', 'subjectId'];
const DELIVERY_COLUMNS = ['id', 'state', 'type', 'subjectId', 'url', 'tries', 'last', 'nextAttemptAt'];
const PAYMENT_COLUMNS = ['id', 'state', 'channel', 'amount', 'currency', 'merchantId', 'payerReference', 'createdAt'];

/** THE TABLE of commands, but for `start`. */
export const COMMANDS: readonly Command[] = [
  {
    name: 'scenario',
    parameters: ['[name]'],
    help: 'list the scenarios, or follow one from now on',
    columns: ['active', 'name', 'description'],
    async run(client, [name]) {
      if (name !== undefined) {
        await client.useScenario(name);
      }
      const [{ items }, current] = await Promise.all([client.scenarios(), client.currentScenario()]);
      return items.map((scenario) => ({ active: scenario.name === current.name ? '*' : '', ...scenario }));
    },
  },
  {
    name: 'clock',
    parameters: ['[action]', '[value]'],
    help: 'show the clock; freeze [timestamp], advance <duration>, real, or idle (run until nothing is dueAt)',
    columns: ['mode', 'now', 'nextDue', 'happened'],
    async run(client, [action, value]) {
      const { happened, ...clock } = await actOnClock(client, action, value);
      return [
        {
          ...clock,
          happened: happened?.map(({ type, subjectId }) => `${type} ${subjectId ?? ''}`.trim()).join(', ') ?? '',
        },
      ];
    },
  },
  {
    name: 'payments',
    parameters: ['[filter...]'],
    help: 'list payments, newest first; filters as state=Paid payerReference=ORDER-1',
    columns: PAYMENT_COLUMNS,
    run: async (client, filters) => (await client.payments(readFilters(filters))).items,
  },
  {
    name: 'settle',
    parameters: ['<payment>', '<outcome>', '[code]'],
    help: 'settle a payment (payment-1, or your payerReference) as Paid, Failed, Cancelled or Expired',
    columns: PAYMENT_COLUMNS,
    async run(client, [payment = '', outcome = '', code]) {
      return [await client.settle(payment, outcome as 'Paid', code)];
    },
  },
  {
    name: 'reset',
    parameters: [],
    help: 'back to the start: no records, scenario and clock as the session was made',
    columns: ['name', 'seed', 'scenario', 'clock', 'now'],
    run: async (client) => [await client.reset()],
  },
  {
    name: 'requests',
    parameters: ['[filter...]'],
    help: 'list the last calls, newest first; filters as operation=initiatePayment',
    columns: ['id', 'at', 'method', 'path', 'operation', 'status', 'scenario', 'outcome'],
    async run(client, filters) {
      const { items } = await client.list<{ answer: { status: number } | null }>('requests', readFilters(filters));
      return items.map((item) => ({ ...item, status: item.answer?.status ?? 'no answer' }));
    },
  },
  {
    name: 'deliveries',
    parameters: ['[filter...]'],
    help: 'list notifications, newest first; filters as state=failed',
    columns: DELIVERY_COLUMNS,
    run: async (client, filters) => (await client.deliveries(readFilters(filters))).items.map(summarise),
  },
  {
    name: 'replay',
    parameters: ['[delivery]'],
    help: 'send a notification once more; without its id, all that were given up',
    columns: DELIVERY_COLUMNS,
    async run(client, [delivery]) {
      const again = delivery === undefined ? (await client.replayFailed()).items : [await client.replay(delivery)];
      return again.map(summarise);
    },
  },
  {
    name: 'events',
    parameters: ['[since]'],
    help: 'show what happens as it happens, after an event number (0: all that is still known), until you stop it',
    columns: EVENT_COLUMNS,
    run: async (client, [since]) => client.events(since === undefined ? undefined : Number(since)),
  },
];

function summarise(delivery: ShownDelivery) {
  const last = delivery.attempts.at(-1);
  return { ...delivery, tries: delivery.attempts.length, last: last ? (last.error ?? last.status) : null };
}

async function actOnClock(client: SandboxClient, action: string | undefined, value: string | undefined) {
  switch (action) {
    case undefined:
      return client.clock();
    case 'freeze':
      return client.freeze(value);
    case 'advance':
      return client.advance(value ?? '');
    case 'real':
      return client.unfreeze();
    case 'idle':
      return client.runUntilIdle();
    default:
      throw new Error(`clock takes freeze, advance, real or idle, not ${action}`);
  }
}

function readFilters(filters: readonly (string | undefined)[]): Record<string, string> {
  return Object.fromEntries(
    filters.flat().flatMap((filter) => {
      if (filter === undefined) {
        return [];
      }
      const [name = '', value] = filter.split(/=(.*)/s);
      if (value === undefined) {
        throw new Error(`a filter is written name=value, not ${filter}`);
      }
      return [[name, value]];
    }),
  );
}
