import type { SandboxClient } from '../../client/client.ts';
import type { ShownEvent } from '../../client/shown.ts';
import { type Command, UsageError } from '../../command/command.ts';
import { tableOf } from '../../command/show.ts';
import { suggestFilters } from '../../command/suggestion.ts';
import { factsWith, followEvents } from './events-text.ts';
import { describeFilters, fetchList, listAll, parseFilters, showList } from './lists.ts';

const QUERY = 'control/event-log-query';

export const EVENTS_COMMAND: Command = {
  name: 'events',
  parameters: ['[since-or-filter...]'],
  options: [{ flags: '--follow', help: 'print the events so far, then each new event and request, until you stop it' }],
  help: 'list the latest events, newest first; with an event number, those after it, oldest first',
  details: () => describeFilters(QUERY),
  suggest: (_client, _args, current) => suggestFilters(QUERY, current),
  async run(client, words, options) {
    const [first = ''] = words;
    const since = /^\d{1,15}$/.test(first) ? Number(first) : undefined;
    if (since === undefined && words.length === 1 && !first.includes('=')) {
      throw new UsageError(`events takes an event's number, or filters such as type=payment.paid, not ${first}`);
    }
    const filters = parseFilters(since === undefined ? words : words.slice(1), QUERY);
    if (options['follow']) {
      return followEvents(client, since ?? 0, filters);
    }
    const list = await (since === undefined
      ? fetchList<ShownEvent>(client, 'event-log', filters, options)
      : listAfter(client, since, filters));
    const rows = list.items.map((event) => ({ ...event, what: factsWith(event, event.subject?.reference) }));
    return showList(list, tableOf(rows, ['id', 'at', 'type', 'what']));
  },
};

async function listAfter(client: SandboxClient, since: number, { limit, ...filters }: Record<string, string>) {
  if (limit !== undefined && !/^[1-9]\d*$/.test(limit)) {
    throw new UsageError(`limit= takes a whole number above 0, not ${limit}`);
  }
  const { items, nextCursor } = await listAll<ShownEvent>(client, 'event-log', { order: 'oldest', ...filters });
  const after = items.filter(({ id }) => id > since);
  return { items: limit === undefined ? after : after.slice(0, Number(limit)), nextCursor };
}
