import { createHash } from 'node:crypto';
import type { WebhookEndpoints } from '../../../base/schema/generated/control.ts';
import type { Delivery, Endpoint } from '../../../base/schema/generated/records.ts';
import { addDuration } from '../../../base/time.ts';
import type { Reader } from '../../sessions/reader.ts';
import type { Transaction } from '../../sessions/transaction.ts';

/** An endpoint and its source. */
export type KnownEndpoint = Endpoint & { source: 'session' | 'merchant' | 'setting' };

const SECRET_BYTES = 24;
const MAX_PREVIOUS_SECRETS = 10;

/** A secret by Standard Webhooks from 24 bytes. */
export function secretFrom(bytes: Uint8Array): string {
  return `whsec_${Buffer.from(bytes).toString('base64')}`;
}

/** The secret of an address that none was given for: the same for the same seed. */
export function secretFor(seed: string, url: string): string {
  return secretFrom(createHash('sha256').update(`merchant-sandbox webhook ${seed} ${url}`).digest().subarray(0, 24));
}

/** The part of a session that determines its endpoints. */
type EndpointReader = Pick<Reader, 'seed' | 'fixtures'> & { all(collection: 'endpoints'): Promise<Endpoint[]> };

/**
 * Where a session's notifications go: to its own endpoints (control API), to those that merchants have in the fixture, and to
 * `--webhook-url`.
 */
export async function endpointsOf(reader: EndpointReader, webhookUrl: string | undefined): Promise<KnownEndpoint[]> {
  const { seed } = reader;
  const own = (await reader.all('endpoints')).map((endpoint) => ({ ...endpoint, source: 'session' as const }));
  const ofMerchants = reader.fixtures.merchants.merchants.flatMap(({ id: merchantId, webhooks = [] }) =>
    webhooks.map(({ url, secret, types }, index) => ({
      id: `endpoint-${merchantId}-${index + 1}`,
      url,
      secret: secret ?? secretFor(seed, url),
      merchantId,
      types: types ?? null,
      source: 'merchant' as const,
    })),
  );
  const set =
    webhookUrl === undefined
      ? []
      : [
          {
            id: 'endpoint-setting',
            url: webhookUrl,
            secret: secretFor(seed, webhookUrl),
            merchantId: null,
            types: null,
            source: 'setting' as const,
          },
        ];
  return [...own, ...ofMerchants, ...set];
}

/** The present endpoint of a delivery; undefined if it was removed. An endpoint that is set again gets another id. */
export function endpointOf<Known extends Endpoint>(
  { endpointId, url, merchantId }: Delivery,
  endpoints: readonly Known[],
): Known | undefined {
  const fitting = endpoints.filter(
    (each) => each.url === url && (each.merchantId === null || each.merchantId === merchantId),
  );
  return fitting.find(({ id }) => id === endpointId) ?? fitting[0];
}

/** Replaces a session's own endpoints, and returns the new ones. One whose address was known keeps its secret, unless it is given another one. */
export async function replaceEndpoints(
  transaction: Transaction,
  wanted: WebhookEndpoints['endpoints'],
): Promise<Endpoint[]> {
  const before = await transaction.all('endpoints');
  for (const { id } of before) {
    transaction.remove('endpoints', id);
  }
  return wanted.map(({ url, secret: given, merchantId = null, types = null }) => {
    const same = before.filter((endpoint) => endpoint.url === url);
    const known = same.find((endpoint) => endpoint.merchantId === merchantId) ?? same[0];
    const secret = given ?? known?.secret ?? secretFrom(transaction.ids.bytes(SECRET_BYTES));
    const previousSecrets = known ? replacedSecrets(transaction, known, secret) : [];
    const endpoint: Endpoint = {
      id: `endpoint-${transaction.next('endpoint')}`,
      ...{ url, secret, merchantId, types },
      ...(previousSecrets.length > 0 ? { previousSecrets } : {}),
    };
    transaction.put('endpoints', endpoint);
    return endpoint;
  });
}

/** Receivers need some time to learn a new secret, in which the one before signs as well. */
function replacedSecrets({ now, fixtures }: Transaction, known: Endpoint, secret: string) {
  const { secret: last, previousSecrets = [] } = known;
  const until = addDuration(now, fixtures.times.secretOverlap);
  const all = last === secret ? previousSecrets : [{ secret: last, until }, ...previousSecrets];
  return all.filter((each) => each.until > now && each.secret !== secret).slice(0, MAX_PREVIOUS_SECRETS);
}
