import { isMembers, membersOf } from '../../base/members.ts';
import type { SandboxClient } from '../../client/client.ts';
import { httpCall } from '../../client/http-call.ts';
import { jsonOf } from '../body.ts';
import type { Exchange } from '../recording.ts';

/** Members that name a merchant who receives money, in lists of calls (section "Resources and their fields" of the interface). */
const RECEIVING = ['dynamicMerchantId', 'creditMerchantId'];
/** More are not made known: a recording names as many as it has splits, and few merchants. */
const MOST = 10_000;

/**
 * Merchants who only receive money in a recording. The service knew them, and the sandbox knows a merchant once it has called: each of
 * them must be made known before.
 */
export class ReceivingMerchants {
  readonly #receiving = new Set<string>();
  readonly #calling = new Set<unknown>();

  take({ kind, body }: Exchange): void {
    const members = kind === 'call' ? membersOf(jsonOf(body)) : {};
    const { merchantId, merchantKey } = members;
    if (merchantKey !== undefined) {
      this.#calling.add(merchantId);
    }
    for (const entry of Object.values(members).flat()) {
      for (const name of RECEIVING) {
        const id = isMembers(entry) ? entry[name] : undefined;
        if (typeof id === 'string' && id !== '' && this.#receiving.size < MOST) {
          this.#receiving.add(id);
        }
      }
    }
  }

  get ids(): string[] {
    return [...this.#receiving].filter((id) => !this.#calling.has(id));
  }
}

/** Makes merchants known to a sandbox that takes unknown ones: by a first call, with credentials that nobody uses again. */
export async function introduce(client: SandboxClient, merchants: readonly string[]): Promise<void> {
  for (const merchantId of merchants) {
    await httpCall(`${client.baseUrl}/auth/authenticate/merchant`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ merchantId, merchantApiKey: `key of ${merchantId}`, merchantKey: `key of ${merchantId}` }),
    });
  }
}
