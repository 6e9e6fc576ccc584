import { join } from 'node:path';
import { EXAMINATION_SECRET, MERCHANT } from '../../base/sample-merchant.ts';
import { unlessEmpty } from '../../base/unless-empty.ts';
import { type Options, textOf } from '../../command/command.ts';
import { writeOutputFile } from '../../command/output-file.ts';
import type { PreparedShop, SetUpOptions } from '../set-up.ts';
import type { ShopExaminer, ShopExaminerOptions } from '../shop-examiner.ts';
import { DEFAULT_BUNDLES } from './run-examination.ts';

/** The shop's environment apart from the sandbox's address, with the user's secret if it is set. */
export function shopEnvironment() {
  return { ...MERCHANT, WEBHOOK_SECRET: unlessEmpty(process.env['WEBHOOK_SECRET']) ?? EXAMINATION_SECRET };
}

/** Whether the user set the secret, which then must not be printed or written to a file. */
export function hasOwnSecret(): boolean {
  return shopEnvironment().WEBHOOK_SECRET !== EXAMINATION_SECRET;
}

export async function createExaminer({
  bundles = DEFAULT_BUNDLES,
  ...shop
}: Omit<ShopExaminerOptions, 'environment' | 'writeBundle'> & { bundles?: string | undefined }): Promise<ShopExaminer> {
  // Loaded here because most commands do not need it.
  const { ShopExaminer } = await import('../shop-examiner.ts');
  return new ShopExaminer({
    ...shop,
    environment: shopEnvironment(),
    writeBundle: (id, text) => writeOutputFile(join(bundles, `${id}.bundle`), text),
  });
}

/** Starts the shop and a sandbox if necessary. */
export async function prepareShop(
  file: string,
  options: Options,
  { runningSandbox, signal }: Pick<SetUpOptions, 'runningSandbox' | 'signal'>,
): Promise<PreparedShop> {
  const { setUp } = await import('../set-up.ts');
  return setUp({
    file,
    command: textOf(options['command']),
    app: textOf(options['app']),
    runningSandbox,
    examiner: undefined,
    signal,
    environment: shopEnvironment(),
  });
}
