import { printable } from '../../base/text/printable.ts';
import type { SandboxClient } from '../../client/client.ts';
import { joinShort } from '../../client/short.ts';
import type { ShownDelivery, ShownEndpoint } from '../../client/shown.ts';
import { type Command, textOf, UsageError } from '../../command/command.ts';
import { tableOf } from '../../command/show.ts';
import { listWords, suggestRecords } from '../../command/suggestion.ts';
import { listAll, listCommand } from './lists.ts';

const DELIVERY_COLUMNS = ['id', 'state', 'type', 'reference', 'subjectId', 'url', 'tries', 'last', 'nextAttemptAt'];

/** Without the attempts, because the new attempt is not listed yet. */
const RESENT_COLUMNS = ['id', 'type', 'reference', 'subjectId', 'url'];

export const DELIVERY_COMMANDS: readonly Command[] = [
  {
    name: 'endpoints',
    parameters: ['[url...]'],
    options: [{ flags: '--secret <secret>', help: 'secret that signs: whsec_ and at least 24 bytes in base64' }],
    help: 'list the webhook endpoints of the session with their secrets, or replace them; sandbox:catch needs no server',
    details: () =>
      'Addresses and --secret can be in any order; the secret is used for all of them. Without --secret, a known address keeps its secret, and a new one gets a secret derived from the seed of the session.',
    suggest: () => listWords('sandbox:catch'),
    async run(client, urls, options) {
      const secret = textOf(options['secret']);
      if (secret !== undefined && urls.length === 0) {
        throw new UsageError('--secret needs the address that it is for');
      }
      const members = secret === undefined ? {} : { secret };
      const { endpoints } =
        urls.length === 0
          ? await client.endpoints()
          : await client.setEndpoints(urls.map((url) => ({ url, ...members })));
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
    rowOf: (item) => toRow(item as ShownDelivery),
    canShowOne: true,
  }),
  {
    name: 'resend',
    parameters: ['[delivery]'],
    help: 'send a notification again; without an id, all that have failed',
    suggest: (client, args) => (args.length === 0 ? suggestRecords(client, 'webhooks/deliveries') : []),
    async run(client, [delivery]) {
      const resent = delivery === undefined ? (await client.resendFailed()).items : [await client.resend(delivery)];
      const text =
        resent.length === 0 ? await explainNothingSent(client) : tableOf(resent.map(toRow), RESENT_COLUMNS).text;
      return { data: resent, text };
    },
  },
  {
    name: 'resume',
    parameters: ['[endpoint]'],
    help: 'resume an endpoint that is paused, halted or switched off; without an id, all of them',
    async suggest(client, args) {
      return args.length === 0 ? listWords(...stoppedIdsIn((await client.endpoints()).endpoints)) : [];
    },
    async run(client, [endpoint]) {
      let { endpoints } = await client.endpoints();
      const ids = endpoint === undefined ? stoppedIdsIn(endpoints) : [endpoint];
      for (const id of ids) {
        ({ endpoints } = await client.resume(id));
      }
      const rows = endpoints.flatMap(({ id, url, queue }) =>
        ids.includes(id) ? [{ id, url, queue: queue?.state ?? 'open', failures: queue?.failures ?? 0 }] : [],
      );
      const table = tableOf(rows, ['id', 'url', 'queue', 'failures']);
      return ids.length === 0 ? { data: [], text: explainNothingResumed(client, endpoints) } : table;
    },
  },
];

/** Why nothing was sent again: no delivery has failed, but some may still be waiting. */
async function explainNothingSent(client: SandboxClient): Promise<string> {
  const { items } = await listAll<ShownDelivery>(client, 'webhooks/deliveries', { state: 'pending' });
  const times = items.flatMap(({ nextAttemptAt }) => nextAttemptAt ?? []).sort();
  const next = times[0] === undefined ? '' : `, the next at ${times[0]}`;
  return items.length === 0
    ? 'No delivery has failed.'
    : `No delivery has failed; ${items.length} pending${next}. Name one to send it now.`;
}

function explainNothingResumed({ session }: SandboxClient, endpoints: readonly ShownEndpoint[]): string {
  const ids = printable(joinShort(endpoints.map(({ id }) => id)));
  return endpoints.length === 0
    ? `Session ${session} has no webhook endpoints: merchant-sandbox endpoints <url> sets one.`
    : `Nothing to resume: no endpoint of session ${session} (${ids}) is paused, halted or switched off. merchant-sandbox resend sends failed notifications again.`;
}

/** Ids of the endpoints whose queue is paused or halted, or that are switched off. */
function stoppedIdsIn(endpoints: readonly ShownEndpoint[]): string[] {
  return endpoints.flatMap(({ id, queue }) => (queue && queue.state !== 'open' ? [id] : []));
}

function toRow(delivery: ShownDelivery): object {
  const { attempts, subject, forgery } = delivery;
  const [last, tries] = [attempts.at(-1), attempts.length];
  const type = forgery === undefined ? delivery.type : `${delivery.type}, forged: ${forgery}`;
  return { ...delivery, type, reference: subject?.reference, tries, last: last?.error ?? last?.status };
}
