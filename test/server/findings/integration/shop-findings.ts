import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxClient } from '../../../../src/client/client.ts';
import type { ShownFinding } from '../../../../src/client/shown.ts';
import { shopEnvironment } from '../../../../src/examine/commands/examiner.ts';
import { setUp } from '../../../../src/examine/set-up.ts';
import type { Adapter } from '../../../../src/examine/shop/adapter.ts';
import { freePort } from '../../../running.ts';
import { temporaryFolders } from '../../../temporary-folder.ts';

/** Number of runs of the shop's own job in each order, because in production it runs repeatedly. */
const JOB_RUNS = 3;
const folder = temporaryFolders()();
const port = String(await freePort());

/** The ids of the findings in all orders of an examination. */
export async function findingsOf(file: string, command: string, situations: readonly string[] = []): Promise<string[]> {
  Object.assign(process.env, { PORT: port, SHOP_DATA: join(mkdtempSync(join(folder, 'data-')), 'shop-data') });
  const setting = await setUp({
    file,
    command,
    app: `http://127.0.0.1:${port}`,
    runningSandbox: undefined,
    environment: shopEnvironment(),
    examiner: undefined,
    signal: undefined,
  });
  const { adapter, client } = setting;
  try {
    const findingIds = new Set<string>();
    const collectFindings = async () => {
      for (const id of await findingIdsOfOrder(client, adapter)) {
        findingIds.add(id);
      }
    };
    // Each order begins with a reset, which clears the findings of the previous one.
    const reset = client.reset.bind(client);
    client.reset = async () => {
      await collectFindings();
      return reset();
    };
    const examination = await setting.createExamination({
      only: ['mobile-money', ...situations],
      seed: 1,
      budgetMs: 1,
      signal: new AbortController().signal,
      writeBundle: () => '',
      onProgress: () => undefined,
    });
    const { counts } = await examination.run();
    await collectFindings();
    expect(counts.inconclusive).toBe(0);
    return [...findingIds].sort();
  } finally {
    await setting.close();
  }
}

/** The ids of an order's findings after the shop's own job has queried missed payments. */
async function findingIdsOfOrder(client: SandboxClient, adapter: Adapter): Promise<string[]> {
  const { items: calls } = await client.list('requests');
  if (calls.length === 0) {
    return [];
  }
  for (let runs = 0; runs < JOB_RUNS; runs += 1) {
    // The job may fail if status queries fail.
    await adapter.reconcile?.().catch(() => undefined);
    await client.runUntilIdle();
    await client.advance('PT1M');
  }
  const { items } = await client.list<ShownFinding>('findings');
  return items.map(({ id }) => id);
}
