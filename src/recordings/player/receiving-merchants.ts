import { isMembers, membersOf } from '../../base/members.ts';
import type { SandboxClient } from '../../client/client.ts';
import { httpCall } from '../../client/http-call.ts';
import { jsonOf } from '../body.ts';
import type { LocatedCall } from '../recording.ts';

/** Members with the id of a merchant that receives money. Source: INTERFACE.md, "Resources and their fields". */
const RECEIVERS = ['dynamicMerchantId', 'creditMerchantId'];

/** Merchants that only receive money in a recording. The others register with their own first call. */
export function receivingMerchants(calls: readonly LocatedCall[]): string[] {
  const bodies = calls.map(({ exchange }) => membersOf(jsonOf(exchange.body)));
  const callers = new Set(
    bodies.filter(({ merchantKey }) => merchantKey !== undefined).map((body) => body['merchantId']),
  );
  const entries = bodies.flatMap((body) => Object.values(body).flat()).filter(isMembers);
  const ids = entries.flatMap((entry) => RECEIVERS.map((name) => entry[name])).filter((id) => typeof id === 'string');
  return [...new Set(ids)].filter((id) => id !== '' && !callers.has(id));
}

/** Registers merchants by a first call, which a sandbox with open merchants accepts. */
export async function registerMerchants(client: SandboxClient, merchants: readonly string[]): Promise<void> {
  for (const merchantId of merchants) {
    await httpCall(`${client.baseUrl}/auth/authenticate/merchant`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ merchantId, merchantApiKey: `key of ${merchantId}`, merchantKey: `key of ${merchantId}` }),
    });
  }
}
