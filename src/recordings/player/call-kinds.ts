import type { RequestView } from '../../base/schema/control.ts';
import type { RecordedCall } from '../../base/schema/recordings.ts';
import { delay } from '../../base/timers.ts';
import type { SandboxClient } from '../../client/client.ts';
import { headerOf } from '../body.ts';

/** How often, and after how many real milliseconds each, the log is asked for a call that the sandbox may not know yet is over. */
const MOST_LOOKS = 20;
const BETWEEN_LOOKS_MS = 10;

/** What the sandbox took a call for; null where it knows none. */
export type CallKind = Pick<RequestView, 'operation' | 'channel' | 'environment'>;

/** What calls were, by the sandbox's request log. They are asked for in the order in which they began. */
export class CallKinds {
  readonly #client: SandboxClient;
  /** The number of the last call without an answer that was asked for. */
  #lastUnanswered = 0;

  constructor(client: SandboxClient) {
    this.#client = client;
  }

  async of(call: RecordedCall): Promise<CallKind> {
    // Only an answer says which call of the log it was.
    const id = call.answer ? headerOf(call.answer.headers, 'x-sandbox-request') : undefined;
    const found = id === undefined ? await this.#unanswered(call) : await this.#answered(id);
    const { operation = null, channel = null, environment = null } = found ?? {};
    return { operation, channel, environment };
  }

  #answered(id: string): Promise<RequestView> {
    return this.#client.call('GET', `/requests/${encodeURIComponent(id)}`);
  }

  /** The next such call that got no answer; undefined where it did not come as far as the log. */
  async #unanswered({ method, target }: RecordedCall): Promise<RequestView | undefined> {
    const query = { method, path: target.replace(/\?.*$/s, ''), limit: '10' };
    for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
      const { items } = await this.#client.list<RequestView & { id: string }>('requests', query);
      const found = items.findLast(({ id, answer }) => answer === null && numberOf(id) > this.#lastUnanswered);
      if (found) {
        this.#lastUnanswered = numberOf(found.id);
        return found;
      }
      await delay(BETWEEN_LOOKS_MS);
    }
    return undefined;
  }
}

const numberOf = (id: string): number => Number(id.slice('request-'.length));
