import { isRefused } from '../../base/is-success.ts';
import { printable } from '../../base/text/printable.ts';
import type { SandboxClient } from '../../client/client.ts';
import type { ShownEvent } from '../../client/shown.ts';
import { type ResultStream, UsageError } from '../../command/command.ts';
import { factsOfEvent, wordsOfCall } from '../../server/http/log-lines.ts';
import type { ShownRequest } from './request-text.ts';

type Filters = Readonly<Record<string, string>>;

/** Filters of lists that have no meaning for a stream. */
const LIST_FILTERS = ['limit', 'cursor', 'order', 'search'];

/** Yields events and calls after `since` that match the filters, then new ones; also notices that some were dropped. */
export async function* followEvents(client: SandboxClient, since: number, filters: Filters): ResultStream {
  await validateFilters(client, 'event-log', filters);
  const references = new Map<unknown, unknown>();
  for await (const event of client.events(since, { calls: true })) {
    references.set(event.subjectId, event.data['reference'] ?? references.get(event.subjectId));
    if (event.type === 'missed' || matches(event, filters)) {
      const text = isCall(event) ? wordsOfCall(event.data) : factsWith(event, references.get(event.data['subject']));
      const head = `${isCall(event) ? '-' : event.id}  ${event.at}  ${event.type}`;
      yield { data: event, text: printable(`${head}  ${text}`.trimEnd()) };
    }
  }
}

/** The facts of an event; those of a notification also name its record by the reference, if it is known. */
export function factsWith(event: ShownEvent, reference: unknown): string {
  const subject = reference === undefined ? {} : { subject: `${event.data['subject']} (${reference})` };
  return factsOfEvent({ ...event, data: { ...event.data, ...subject } });
}

/** Yields the calls so far that match the filters, then each new one. Throws if calls were dropped before they were read. */
export async function* followRequests(client: SandboxClient, filters: Filters): ResultStream {
  await validateFilters(client, 'requests', filters);
  for await (const event of client.events(0, { calls: true })) {
    if (isCall(event)) {
      const status = event.data.answer?.status ?? null;
      if (matches({ ...event.data, status, refused: isRefused(status) }, filters)) {
        yield { data: event.data, text: printable(`${event.data.at}  ${wordsOfCall(event.data)}`) };
      }
    } else if (event.type === 'missed' && event.data['calls'] !== undefined) {
      throw new Error(
        `${event.data['calls']} requests were dropped from the log before they could be printed; start again`,
      );
    }
  }
}

/** Lets the sandbox validate the filters, because a wrong one would match nothing. */
async function validateFilters(client: SandboxClient, list: string, filters: Filters): Promise<void> {
  const unusableFilter = LIST_FILTERS.find((name) => name in filters);
  if (unusableFilter !== undefined) {
    throw new UsageError(`${unusableFilter}= works in lists only; leave it out to follow`);
  }
  await client.list(list, { ...filters, limit: '1' });
}

function isCall(event: ShownEvent): event is ShownEvent & { data: ShownRequest } {
  return event.type === 'request.answered';
}

function matches(members: object, filters: Filters): boolean {
  return Object.entries(filters).every(
    ([name, value]) => String(Reflect.get(members, name)).toLowerCase() === value.toLowerCase(),
  );
}
