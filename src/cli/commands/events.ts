import type { ShownEvent } from '../../client/shown.ts';
import { type Command, UsageError } from '../../command/command.ts';
import { tableOf } from '../../command/show.ts';
import { suggestFilters } from '../../command/suggestion.ts';
import { factsOfEvent } from '../../server/http/log-lines.ts';
import { followEvents } from './events-text.ts';
import { filtersOf, listFor, readFilters, showList } from './lists.ts';

const QUERY = 'control/event-log-query';

/** Shows the last events of a session, or each new one. */
export const EVENTS_COMMAND: Command = {
  name: 'events',
  parameters: ['[since-or-filter...]'],
  options: [{ flags: '--follow', help: 'print the events so far, then each new event and request, until you stop it' }],
  help: 'list the latest events, newest first; with an event number, follow the events after it',
  details: () => filtersOf(QUERY),
  suggest: (_client, _before, current) => suggestFilters(QUERY, current),
  async run(client, words, options) {
    const [first = ''] = words;
    if (/^\d{1,15}$/.test(first)) {
      return followEvents(client, Number(first), readFilters(words.slice(1)));
    }
    if (words.length === 1 && !first.includes('=')) {
      throw new UsageError(
        `events takes the number of an event, such as 0, or filters, such as type=payment.paid, not ${first}`,
      );
    }
    const filters = readFilters(words);
    if (options['follow']) {
      return followEvents(client, 0, filters);
    }
    const list = await listFor<ShownEvent>(client, 'event-log', filters, options);
    return showList(list, tableOf(list.items.map(rowOf), ['id', 'at', 'type', 'what']));
  },
};

function rowOf(event: ShownEvent): object {
  return { ...event, what: factsOfEvent(event) };
}
