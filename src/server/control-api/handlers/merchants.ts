import { Refusal } from '../../../base/refusal.ts';
import type { MerchantCredentials, PageQuery } from '../../../base/schema/generated/control.ts';
import type { Merchant } from '../../../base/schema/generated/records.ts';
import { findMerchant } from '../../domain/merchants/merchants.ts';
import type { Reader } from '../../sessions/reader.ts';
import { type ControlOperation, itemOf, listOf, sessionRow } from '../control-operation.ts';
import { type ListOrder, pageOf } from '../lists.ts';
import { viewMerchant } from '../views.ts';

const BY_ID: ListOrder<{ id: string }> = { name: 'merchants', keyOf: ({ id }) => id };

export const MERCHANT_OPERATIONS: readonly ControlOperation[] = [
  sessionRow<undefined, PageQuery>({
    name: 'listMerchants',
    summary: 'List merchants',
    description: 'The merchants of the fixtures, and those that registered themselves, without their keys.',
    method: 'GET',
    path: '/merchants',
    query: 'control/page-query',
    response: listOf('control/merchant'),
    handle: async ({ session, query }) => {
      const { items, nextCursor } = await pageOf(BY_ID, await session.read(allMerchants), query);
      return { items: items.map(viewMerchant), nextCursor };
    },
  }),
  sessionRow({
    name: 'getMerchant',
    summary: 'Get a merchant',
    description: 'One merchant, without its keys.',
    method: 'GET',
    path: '/merchants/{id}',
    response: itemOf('control/merchant'),
    handle: ({ session, parameters }) =>
      session.read(async (reader) => viewMerchant(requireMerchant(reader, parameters['id']))),
  }),
  sessionRow({
    name: 'revealCredentials',
    summary: 'Reveal the credentials of a merchant',
    description:
      'The keys with which a merchant authenticates; getAccessToken exchanges them for a bearer token. They are masked in the request log. Each call is recorded as an event, `secret.revealed`.',
    method: 'POST',
    path: '/merchants/{id}/credentials',
    response: itemOf('control/merchant-credentials'),
    handle: ({ session, parameters }): Promise<MerchantCredentials> =>
      session.transact(async (transaction) => {
        const { id, merchantApiKey, merchantKey } = requireMerchant(transaction, parameters['id']);
        transaction.emit('secret.revealed', 'merchants', id, { what: 'merchant credentials' });
        return { merchantId: id, merchantApiKey, merchantKey };
      }),
  }),
];

function requireMerchant(reader: Reader, id: string | undefined = ''): Merchant {
  const merchant = findMerchant(reader, id);
  if (!merchant) {
    throw new Refusal('unknown-record', `there is no merchant ${JSON.stringify(id)} in this session`);
  }
  return merchant;
}

async function allMerchants(reader: Reader): Promise<Merchant[]> {
  const registered = await reader.all('merchants');
  const ids = new Set(registered.map(({ id }) => id));
  const fixtureMerchants = reader.fixtures.merchants.merchants.filter(({ id }) => !ids.has(id));
  const merchants = fixtureMerchants.map(({ id }) => findMerchant(reader, id));
  return [...merchants.flatMap((merchant) => merchant ?? []), ...registered];
}
