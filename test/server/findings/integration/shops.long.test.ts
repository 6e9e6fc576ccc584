import { canRun, SHOPS, type Shop } from '../../../../scripts/examine-shops/shops.mjs';
import { findingsOf } from './shop-findings.ts';

it.each(SHOPS.filter(canRun).map((shop: Shop): [string, Shop] => [shop.name, shop]))(
  'the correct shop %s has no findings',
  async (_name, shop) => {
    expect(await findingsOf(shop.adapter, shop.command, shop.only?.split(','))).toEqual([]);
  },
);
