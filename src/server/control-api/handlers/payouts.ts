import { Refusal } from '../../../base/refusal.ts';
import type { CreditOutcomeChoice, PayoutOutcomeChoice, PayoutsQuery } from '../../../base/schema/generated/control.ts';
import { decideCredit, decidePayout } from '../../domain/payouts/payout.ts';
import { type ControlOperation, itemOf, listOf, sessionRow } from '../control-operation.ts';
import { findRecord, readRecord } from '../find-record.ts';
import { listRecords } from '../lists.ts';
import { viewPayout } from '../views.ts';

export const PAYOUT_OPERATIONS: readonly ControlOperation[] = [
  sessionRow<undefined, PayoutsQuery>({
    name: 'listPayouts',
    summary: 'List payouts',
    description: 'Payouts, newest first.',
    method: 'GET',
    path: '/payouts',
    query: 'control/payouts-query',
    response: listOf('control/payout'),
    handle: (call) => listRecords(call, 'payouts', viewPayout),
  }),
  sessionRow({
    name: 'getPayout',
    summary: 'Get a payout',
    description: 'One payout with its credits. `id` is its id or `payerReference`.',
    method: 'GET',
    path: '/payouts/{id}',
    response: itemOf('control/payout'),
    handle: async (call) => viewPayout(await readRecord(call, 'payouts')),
  }),
  sessionRow<PayoutOutcomeChoice>({
    name: 'settlePayout',
    summary: 'Settle a payout',
    description: "Settles all credits of a payout that are still Processing. Notifies the merchant's endpoints.",
    method: 'POST',
    path: '/payouts/{id}/settle',
    request: 'control/payout-outcome-choice',
    response: itemOf('control/payout'),
    handle: ({ changeRecords, parameters, body }) =>
      changeRecords(async (transaction) => {
        const payout = await findRecord(transaction, 'payouts', parameters['id']);
        return viewPayout(decidePayout(transaction, payout, body));
      }),
  }),
  sessionRow<CreditOutcomeChoice>({
    name: 'settleCredit',
    summary: 'Settle a credit of a payout',
    description:
      "Settles one credit of a payout, or returns it after it was paid; `number` is its position, from 1. Notifies the merchant's endpoints.",
    method: 'POST',
    path: '/payouts/{id}/credits/{number}/settle',
    request: 'control/credit-outcome-choice',
    response: itemOf('control/payout'),
    handle: ({ changeRecords, parameters, body }) =>
      changeRecords(async (transaction) => {
        const payout = await findRecord(transaction, 'payouts', parameters['id']);
        const number = creditNumber(parameters['number']);
        return viewPayout(decideCredit(transaction, payout, { number, ...body }));
      }),
  }),
];

function creditNumber(text: string | undefined = ''): number {
  if (!/^\d+$/.test(text)) {
    throw new Refusal('unknown-record', `the number of a credit is a whole number from 1, not ${JSON.stringify(text)}`);
  }
  return Number(text);
}
