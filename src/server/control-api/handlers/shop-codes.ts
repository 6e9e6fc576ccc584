import { toMinorUnits } from '../../../base/money.ts';
import type { ShopCodeOrder, ShopCodesQuery, ShopCodeView } from '../../../base/schema/generated/control.ts';
import type { ShopCode } from '../../../base/schema/generated/records.ts';
import { findMerchant } from '../../domain/merchants/merchants.ts';
import { createShopCode, deactivateShopCode } from '../../domain/shop-codes/shop-codes.ts';
import type { Reader } from '../../sessions/reader.ts';
import { type ControlOperation, itemOf, listOf, sessionRow } from '../control-operation.ts';
import { findRecord } from '../find-record.ts';
import { listRecords } from '../lists.ts';
import { viewShopCode } from '../views.ts';

export const SHOP_CODE_OPERATIONS: readonly ControlOperation[] = [
  sessionRow<ShopCodeOrder>({
    name: 'createShopCode',
    summary: 'Create a shop code',
    description:
      'Creates a QR code for a merchant to print, with a fixed amount or one that the payer enters. Each scan creates a QR wallet payment with its own reference, and notifications are sent for it.',
    refusals: ['business-rule', 'merchant-not-activated'],
    method: 'POST',
    path: '/shop-codes',
    request: 'control/shop-code-order',
    response: itemOf('control/shop-code'),
    handle: ({ session, body }) =>
      session.transact(async (transaction) => {
        const { merchantId, reference, amount = null, currency, description = '' } = body;
        const { environment = 'sandbox', content = transaction.fixtures.shopCodes.content } = body;
        const code = createShopCode(transaction, {
          environment,
          merchantId,
          reference,
          amount: amount === null ? null : toMinorUnits(amount),
          currency,
          description,
          content,
        });
        return viewCode(transaction, code);
      }),
  }),
  sessionRow<undefined, ShopCodesQuery>({
    name: 'listShopCodes',
    summary: 'List shop codes',
    description: 'Shop codes, newest first.',
    method: 'GET',
    path: '/shop-codes',
    query: 'control/shop-codes-query',
    response: listOf('control/shop-code'),
    handle: (call) => listRecords(call, 'shopCodes', (code, reader) => viewCode(reader, code)),
  }),
  sessionRow({
    name: 'getShopCode',
    summary: 'Get a shop code',
    description: 'One shop code. `id` is its id or reference.',
    method: 'GET',
    path: '/shop-codes/{id}',
    response: itemOf('control/shop-code'),
    handle: ({ session, parameters }) =>
      session.read(async (reader) => viewCode(reader, await findRecord(reader, 'shopCodes', parameters['id']))),
  }),
  sessionRow({
    name: 'deactivateShopCode',
    summary: 'Deactivate a shop code',
    description: 'Payers who scan it now see that it is not active. Earlier payments are not affected.',
    refusals: ['conflict'],
    method: 'POST',
    path: '/shop-codes/{id}/deactivate',
    response: itemOf('control/shop-code'),
    handle: ({ session, parameters }) =>
      session.transact(async (transaction) => {
        const code = await findRecord(transaction, 'shopCodes', parameters['id']);
        return viewCode(transaction, deactivateShopCode(transaction, code));
      }),
  }),
];

async function viewCode(reader: Reader, code: ShopCode): Promise<ShopCodeView> {
  return viewShopCode(code, reader, findMerchant(reader, code.merchantId));
}
