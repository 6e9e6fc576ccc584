import { printable } from '../../base/text/printable.ts';
import type { SandboxClient } from '../../client/client.ts';
import type { ShownEvent } from '../../client/shown.ts';
import { type ResultStream, UsageError } from '../../command/command.ts';
import { factsOfEvent, wordsOfCall } from '../../server/http/log-lines.ts';
import type { ShownRequest } from './request-text.ts';

type Filters = Readonly<Record<string, string>>;

/** What a list takes, and what is followed as it comes cannot have. */
const OF_LISTS = ['limit', 'cursor', 'order', 'search'];

/** The events after one, then each as it comes, with the calls between, of those that some filters let through. */
export async function* followEvents(client: SandboxClient, since: number, filters: Filters): ResultStream {
  await checkFilters(client, 'event-log', filters);
  const references = new Map<unknown, unknown>();
  for await (const event of client.events(since, { calls: true })) {
    references.set(event.subjectId, event.data['reference'] ?? references.get(event.subjectId));
    if (event.type === 'missed' || fits(event, filters)) {
      const words = isCall(event) ? wordsOfCall(event.data) : factsWith(event, references.get(event.data['subject']));
      const head = `${isCall(event) ? '-' : event.id}  ${event.at}  ${event.type}`;
      yield { data: event, text: printable(`${head}  ${words}`.trimEnd()) };
    }
  }
}

/** The facts of an event; those of a notification also name its record by the reference, if it is known. */
export function factsWith(event: ShownEvent, reference: unknown): string {
  const named = reference === undefined ? {} : { subject: `${event.data['subject']} (${reference})` };
  return factsOfEvent({ ...event, data: { ...event.data, ...named } });
}

/** The calls so far, then each as it comes, of those that some filters let through. */
export async function* followRequests(client: SandboxClient, filters: Filters): ResultStream {
  await checkFilters(client, 'requests', filters);
  for await (const event of client.events(0, { calls: true })) {
    if (isCall(event)) {
      if (fits({ ...event.data, status: event.data.answer?.status }, filters)) {
        yield { data: event.data, text: printable(`${event.data.at}  ${wordsOfCall(event.data)}`) };
      }
    } else if (event.type === 'missed' && event.data['calls'] !== undefined) {
      throw new Error(
        `${event.data['calls']} requests were dropped from the log before they could be printed; start again`,
      );
    }
  }
}

/** The sandbox says what is wrong with a filter. */
async function checkFilters(client: SandboxClient, list: string, filters: Filters): Promise<void> {
  const needless = OF_LISTS.find((name) => name in filters);
  if (needless !== undefined) {
    throw new UsageError(`${needless}= works in lists only; leave it out to follow`);
  }
  await client.list(list, { ...filters, limit: '1' });
}

function isCall(event: ShownEvent): event is ShownEvent & { data: ShownRequest } {
  return event.type === 'request.answered';
}

function fits(members: object, filters: Filters): boolean {
  return Object.entries(filters).every(
    ([name, value]) => String(Reflect.get(members, name)).toLowerCase() === value.toLowerCase(),
  );
}
