import type { SandboxClient } from '../../client/client.ts';
import type { ShownDelivery, ShownEndpoint } from '../../client/shown.ts';
import { type Command, textOf, UsageError } from '../../command/command.ts';
import { type Row, tableOf } from '../../command/show.ts';
import { suggestRecords, wordsOf } from '../../command/suggestion.ts';
import { listAll, listCommand } from './lists.ts';

const DELIVERY_COLUMNS = ['id', 'state', 'type', 'reference', 'subjectId', 'url', 'tries', 'last', 'nextAttemptAt'];

/** Notifications, and the endpoints that they go to. */
export const DELIVERY_COMMANDS: readonly Command[] = [
  {
    name: 'endpoints',
    parameters: ['[url...]'],
    options: [{ flags: '--secret <secret>', help: 'secret that signs (whsec_…); by default an address keeps its own' }],
    help: 'list the webhook endpoints of the session with their secrets, or replace them; sandbox:catch needs no server',
    suggest: () => wordsOf('sandbox:catch'),
    async run(client, urls, options) {
      const secret = textOf(options['secret']);
      if (secret !== undefined && urls.length === 0) {
        throw new UsageError('--secret needs the address that it is for');
      }
      const given = secret === undefined ? {} : { secret };
      const { endpoints } =
        urls.length === 0
          ? await client.endpoints()
          : await client.setEndpoints(urls.map((url) => ({ url, ...given })));
      const rows = endpoints.map((endpoint) => ({ ...endpoint, queue: endpoint.queue?.state ?? 'open' }));
      return { ...tableOf(rows, ['id', 'url', 'secret', 'merchantId', 'queue']), data: endpoints };
    },
  },
  listCommand({
    name: 'deliveries',
    help: 'list deliveries of notifications, newest first, or show one with its attempts',
    path: 'webhooks/deliveries',
    query: 'control/deliveries-query',
    columns: DELIVERY_COLUMNS,
    rowOf: (item) => summarise(item as ShownDelivery),
    hasOne: true,
  }),
  {
    name: 'resend',
    parameters: ['[delivery]'],
    help: 'send a notification again; without an id, all that have failed',
    suggest: (client, before) => (before.length === 0 ? suggestRecords(client, 'webhooks/deliveries') : []),
    async run(client, [delivery]) {
      const again = delivery === undefined ? (await client.resendFailed()).items : [await client.resend(delivery)];
      const text = again.length === 0 ? await whyNone(client) : tableOf(again.map(summarise), DELIVERY_COLUMNS).text;
      return { data: again, text };
    },
  },
  {
    name: 'resume',
    parameters: ['[endpoint]'],
    help: 'resume an endpoint that is paused, halted or switched off; without an id, all of them',
    async suggest(client, before) {
      return before.length === 0 ? wordsOf(...(await stoppedEndpoints(client))) : [];
    },
    async run(client, [endpoint]) {
      const wanted = endpoint === undefined ? await stoppedEndpoints(client) : [endpoint];
      for (const id of wanted) {
        await client.resume(id);
      }
      const { endpoints } = await client.endpoints();
      const rows = endpoints.filter(({ id }) => wanted.includes(id)).map(rowOfEndpoint);
      return { ...tableOf(rows, ['id', 'url', 'queue', 'failures']), data: rows };
    },
  },
];

/** Why nothing was sent again: no delivery has failed, but some may still be waiting. */
async function whyNone(client: SandboxClient): Promise<string> {
  const { items } = await listAll<ShownDelivery>(client, 'webhooks/deliveries', { state: 'pending' });
  const times = items.flatMap(({ nextAttemptAt }) => nextAttemptAt ?? []).sort();
  const next = times[0] === undefined ? '' : `, the next at ${times[0]}`;
  return items.length === 0
    ? 'No delivery has failed.'
    : `No delivery has failed; ${items.length} pending${next}. Name one to send it now.`;
}

/** Endpoints whose queue is paused or halted, or that are switched off, by their ids. */
async function stoppedEndpoints(client: SandboxClient): Promise<string[]> {
  const { endpoints } = await client.endpoints();
  return endpoints.flatMap(({ id, queue }) => (queue && queue.state !== 'open' ? [id] : []));
}

function rowOfEndpoint({ id, url, queue }: ShownEndpoint): Row {
  return { id, url, queue: queue?.state ?? 'open', failures: queue?.failures ?? 0 };
}

function summarise(delivery: ShownDelivery): object {
  const { attempts, subject } = delivery;
  const last = attempts.at(-1);
  return { ...delivery, reference: subject?.reference, tries: attempts.length, last: last?.error ?? last?.status };
}
