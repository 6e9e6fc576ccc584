import { createHash } from 'node:crypto';
import type { WebhookEndpoints } from '../../../base/schema/generated/control.ts';
import type { Delivery, Endpoint } from '../../../base/schema/generated/records.ts';
import { addDuration } from '../../../base/time.ts';
import type { Reader } from '../../sessions/reader.ts';
import type { Transaction } from '../../sessions/transaction.ts';

/** An endpoint with its source: the control API, the merchants fixture, or `--webhook-url`. */
export type KnownEndpoint = Endpoint & { source: 'session' | 'merchant' | 'setting' };

const SECRET_BYTES = 24;
const MAX_PREVIOUS_SECRETS = 10;

/** Encodes random bytes as a secret. Source: Standard Webhooks. */
export function encodeSecret(bytes: Uint8Array): string {
  return `whsec_${Buffer.from(bytes).toString('base64')}`;
}

/** The secret of an address that has none: depends only on seed and address. The control API generates secrets for its endpoints. */
export function deriveSecret(seed: string, url: string): string {
  const hash = createHash('sha256').update(`merchant-sandbox webhook ${seed} ${url}`).digest();
  return encodeSecret(hash.subarray(0, SECRET_BYTES));
}

type EndpointReader = Pick<Reader, 'seed' | 'fixtures'> & { all(collection: 'endpoints'): Promise<Endpoint[]> };

export async function endpointsOf(reader: EndpointReader, webhookUrl: string | undefined): Promise<KnownEndpoint[]> {
  const { seed } = reader;
  const bySession = (await reader.all('endpoints')).map((endpoint) => ({ ...endpoint, source: 'session' as const }));
  const byMerchant = reader.fixtures.merchants.merchants.flatMap(({ id: merchantId, webhooks = [] }) =>
    webhooks.map(({ url, secret, types }, index) => ({
      id: `endpoint-${merchantId}-${index + 1}`,
      url,
      secret: secret ?? deriveSecret(seed, url),
      merchantId,
      types: types ?? null,
      source: 'merchant' as const,
    })),
  );
  const bySetting =
    webhookUrl === undefined
      ? []
      : [
          {
            id: 'endpoint-setting',
            url: webhookUrl,
            secret: deriveSecret(seed, webhookUrl),
            merchantId: null,
            types: null,
            source: 'setting' as const,
          },
        ];
  return [...bySession, ...byMerchant, ...bySetting];
}

/** Undefined if the endpoint was removed. Compares addresses, because replaceEndpoints gives new ids. */
export function endpointOf<Known extends Endpoint>(
  { endpointId, url, merchantId }: Delivery,
  endpoints: readonly Known[],
): Known | undefined {
  const matchingEndpoints = endpoints.filter(
    (each) => each.url === url && (each.merchantId === null || each.merchantId === merchantId),
  );
  return matchingEndpoints.find(({ id }) => id === endpointId) ?? matchingEndpoints[0];
}

/** A known address keeps its secret unless a new one is given. */
export async function replaceEndpoints(
  transaction: Transaction,
  requested: WebhookEndpoints['endpoints'],
): Promise<Endpoint[]> {
  const previous = await transaction.all('endpoints');
  for (const { id } of previous) {
    transaction.remove('endpoints', id);
  }
  return requested.map(({ url, secret: newSecret, merchantId = null, types = null }) => {
    const sameUrl = previous.filter((endpoint) => endpoint.url === url);
    const previousEndpoint = sameUrl.find((endpoint) => endpoint.merchantId === merchantId) ?? sameUrl[0];
    const secret = newSecret ?? previousEndpoint?.secret ?? encodeSecret(transaction.ids.bytes(SECRET_BYTES));
    const previousSecrets = previousEndpoint ? secretsToKeep(transaction, previousEndpoint, secret) : [];
    const id = `endpoint-${transaction.next('endpoint')}`;
    const replaced = previousSecrets.length > 0 ? { previousSecrets } : {};
    const endpoint: Endpoint = { id, url, secret, merchantId, types, ...replaced };
    transaction.put('endpoints', endpoint);
    return endpoint;
  });
}

/** The previous secrets that still sign, because receivers need some time to learn a new one. */
function secretsToKeep({ now, fixtures }: Transaction, previousEndpoint: Endpoint, secret: string) {
  const { secret: lastSecret, previousSecrets = [] } = previousEndpoint;
  const until = addDuration(now, fixtures.times.secretOverlap);
  const allSecrets = lastSecret === secret ? previousSecrets : [{ secret: lastSecret, until }, ...previousSecrets];
  return allSecrets.filter((each) => each.until > now && each.secret !== secret).slice(0, MAX_PREVIOUS_SECRETS);
}
