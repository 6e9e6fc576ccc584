import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import type { ExaminedShop, ShopExaminer } from '../../examine/shop-examiner.ts';
import { UsageError } from './command.ts';

/** The folder of the bundles, where none is named. */
export const BUNDLES = 'examination';

/** What a shop is told where it is started: a merchant of the fixtures. */
const MERCHANT = {
  MERCHANT_ID: 'M-1000',
  MERCHANT_API_KEY: 'test-api-key-1000',
  MERCHANT_KEY: 'test-merchant-key-1000',
};
/** The secret of the examination's endpoint, where the environment names none. */
const SECRET = 'whsec_dGhlIHNlY3JldCBvZiB0aGUgZXhhbWluYXRpb24=';

/** What examines a shop, by a sandbox that runs or by one of its own. */
export async function examinerOf({
  bundles = BUNDLES,
  ...shop
}: Omit<ExaminedShop, 'environment' | 'keepBundle'> & { bundles?: string | undefined }): Promise<ShopExaminer> {
  // No other command needs it.
  const { ShopExaminer } = await import('../../examine/shop-examiner.ts');
  return new ShopExaminer({
    ...shop,
    environment: { ...MERCHANT, WEBHOOK_SECRET: process.env['WEBHOOK_SECRET'] ?? SECRET },
    keepBundle: (id, text) => keep(join(bundles, `${id}.bundle`), text),
  });
}

/** Writes a file, and the folder that it is to be in. Returns its name. */
export function keep(file: string, text: string): string {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${messageOf(error)}`);
  }
}
