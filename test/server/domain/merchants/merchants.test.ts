import { authenticateIn } from '../../../../src/server/domain/merchants/merchants.ts';
import { Workbench } from '../workbench.ts';

it.each([
  ['A$&B', 'Merchant {{merchantId}}', 'Merchant A$&B'],
  ["$1$$$`$'", '{{ merchantId }} Ltd ({{merchantId}}, {{merchantId}})', "$1$$$`$' Ltd ($1$$$`$', $1$$$`$')"],
  ['{{merchantId}}', '{{merchantId}}', '{{merchantId}}'],
])('a new merchant %s gets its name from the template %s', async (merchantId, template, name) => {
  const bench = await Workbench.open();
  const { merchants } = bench.fixtures;
  const newcomer = { ...merchants.newcomer, name: template };
  bench.fixtures = { ...bench.fixtures, merchants: { ...merchants, newcomer } };
  const credentials = { merchantId, merchantApiKey: 'key', merchantKey: 'key' };
  const merchant = await bench.transact((transaction) => authenticateIn(transaction, credentials, true));
  expect(merchant.name).toBe(name);
});
