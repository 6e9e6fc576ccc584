import { join } from 'node:path';
import type { ExaminedShop, ShopExaminer } from '../../examine/shop-examiner.ts';
import { DEFAULT_BUNDLES } from './examination.ts';
import { keep } from './kept-file.ts';

/** What examines a shop, by a sandbox that runs or by one of its own. */
export async function examinerOf({
  bundles = DEFAULT_BUNDLES,
  ...shop
}: Omit<ExaminedShop, 'environment' | 'keepBundle'> & { bundles?: string | undefined }): Promise<ShopExaminer> {
  // No other command needs it.
  const { ShopExaminer } = await import('../../examine/shop-examiner.ts');
  const { MERCHANT, SECRET } = await import('../../examine/merchant.ts');
  return new ShopExaminer({
    ...shop,
    environment: { ...MERCHANT, WEBHOOK_SECRET: process.env['WEBHOOK_SECRET'] ?? SECRET },
    keepBundle: (id, text) => keep(join(bundles, `${id}.bundle`), text),
  });
}
