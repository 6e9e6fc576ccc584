import { createHash } from 'node:crypto';
import type { Endpoint } from '../../base/schema/records.ts';
import type { Reader } from '../../sessions/reader.ts';

/** An endpoint, and what set it. */
export type KnownEndpoint = Endpoint & { source: 'session' | 'merchant' | 'setting' };

/** A secret by Standard Webhooks from 24 bytes. */
export function secretFrom(bytes: Uint8Array): string {
  return `whsec_${Buffer.from(bytes).toString('base64')}`;
}

/** The secret of an address that none was given for: the same for the same seed. */
export function secretFor(seed: string, url: string): string {
  return secretFrom(createHash('sha256').update(`merchant-sandbox webhook ${seed} ${url}`).digest().subarray(0, 24));
}

/**
 * Where a session's notifications go: to its own endpoints (control API), to those that merchants have in the fixture, and to
 * `--webhook-url`.
 */
export async function endpointsOf(reader: Reader, webhookUrl: string | undefined): Promise<KnownEndpoint[]> {
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
