import { printable } from '../../base/text/printable.ts';
import type { SandboxClient } from '../../client/client.ts';
import type { ShownEvent } from '../../client/shown.ts';
import { factsOfEvent, wordsOfCall } from '../../http/log-lines.ts';
import type { Following, Shown } from './command.ts';
import type { ShownRequest } from './request-text.ts';

/** What happens, as it happens, with the calls between: number, time, type, what it happened to and what there is to know of it. */
export async function* followEvents(client: SandboxClient, since: number | undefined): Following {
  for await (const event of client.events(since, { calls: true })) {
    const [id, words] = isCall(event) ? ['-', wordsOfCall(event.data)] : [event.id, factsOfEvent(event)];
    yield { data: event, text: printable(`${id}  ${event.at}  ${event.type}  ${words}`.trimEnd()) };
  }
}

/** The calls so far, then each as it comes, of those that some filters let through. */
export async function* followRequests(client: SandboxClient, filters: Readonly<Record<string, string>>): Following {
  // The sandbox says what is wrong with a filter.
  await client.list('requests', { ...filters, limit: '1' });
  for await (const event of client.events(0, { calls: true })) {
    if (isCall(event)) {
      if (fits(event.data, filters)) {
        yield lineOf(event.data);
      }
    } else if (event.type === 'missed' && event.data['calls'] !== undefined) {
      throw new Error(`${event.data['calls']} calls made room for later ones before they were read: follow them anew`);
    }
  }
}

function lineOf(call: ShownRequest): Shown {
  return { data: call, text: printable(`${call.at}  ${wordsOfCall(call)}`) };
}

function isCall(event: ShownEvent): event is ShownEvent & { data: ShownRequest } {
  return event.type === 'request.answered';
}

function fits(call: ShownRequest, filters: Readonly<Record<string, string>>): boolean {
  const members = { ...call, status: call.answer?.status };
  return Object.entries(filters).every(
    ([name, value]) => String(Reflect.get(members, name)).toLowerCase() === value.toLowerCase(),
  );
}
