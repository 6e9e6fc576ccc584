import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MUTANTS, type Mutant, patched } from '../../../../scripts/examine-shops/mutants.mjs';
import { canRun, SHOPS, type Shop } from '../../../../scripts/examine-shops/shops.mjs';
import type { SandboxClient } from '../../../../src/client/client.ts';
import type { ShownFinding } from '../../../../src/client/shown.ts';
import { shopEnvironment } from '../../../../src/examine/commands/examiner.ts';
import { setUp } from '../../../../src/examine/set-up.ts';
import type { Adapter } from '../../../../src/examine/shop/adapter.ts';
import { freePort } from '../../../running.ts';
import { temporaryFolders } from '../../../temporary-folder.ts';

const SHOP = 'scripts/examine-shops/shop/shop.mjs';
const ADAPTER = 'scripts/examine-shops/shop/examine.mjs';
/** Situations in which a wrong shop gets findings and a correct one does not. */
const DECISIVE_SITUATIONS = [
  ...['call-refused', 'answer-lost', 'answers-lost', 'failed', 'refunded', 'query-refused'],
  ...['notified-twice', 'notified-never', 'notified-tampered'],
  ...['forged-signature', 'forged-unsigned', 'forged-old', 'forged-amount', 'forged-reference'],
];
/** How often the shop's own job runs in each order, as it does repeatedly in production. */
const JOB_RUNS = 3;
const folder = temporaryFolders()();
const port = String(await freePort());

/** The ids of the findings in all orders of an examination. */
async function findingsOf(file: string, command: string, situations: readonly string[] = []): Promise<string[]> {
  Object.assign(process.env, { PORT: port, SHOP_DATA: join(mkdtempSync(join(folder, 'data-')), 'shop-data') });
  const setting = await setUp({
    file,
    command,
    app: `http://127.0.0.1:${port}`,
    running: undefined,
    environment: shopEnvironment(),
    examiner: undefined,
    signal: undefined,
  });
  const { adapter, client } = setting;
  try {
    const findingIds = new Set<string>();
    const collectFindings = async () => {
      for (const id of await foundInOrder(client, adapter)) {
        findingIds.add(id);
      }
    };
    // Each order begins with a reset, which clears the findings of the previous one.
    const reset = client.reset.bind(client);
    client.reset = async () => {
      await collectFindings();
      return reset();
    };
    const examination = await setting.examination({
      only: ['mobile-money', ...situations],
      seed: 1,
      budgetMs: 1,
      signal: new AbortController().signal,
      keepBundle: () => '',
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

/** The findings after the shop's own job has queried missed payments. */
async function foundInOrder(client: SandboxClient, adapter: Adapter): Promise<string[]> {
  const { items: calls } = await client.list('requests');
  if (calls.length === 0) {
    return [];
  }
  for (let runs = 0; runs < JOB_RUNS; runs += 1) {
    // It may fail if status queries fail.
    await adapter.reconcile?.().catch(() => undefined);
    await client.runUntilIdle();
    await client.advance('PT1M');
  }
  const { items } = await client.list<ShownFinding>('findings');
  return items.map(({ id }) => id);
}

function commandOf(mutants: readonly Mutant[]): string {
  const file = join(folder, 'wrong.mjs');
  writeFileSync(
    file,
    mutants.reduce((source, mutant) => patched(mutant, source), readFileSync(SHOP, 'utf8')),
  );
  return `"${process.execPath}" "${file}"`;
}

it.each(SHOPS.filter(canRun).map((shop: Shop): [string, Shop] => [shop.name, shop]))(
  'the correct shop %s has no findings',
  async (_name, shop) => {
    expect(await findingsOf(shop.adapter, shop.command)).toEqual([]);
  },
);

it.each(MUTANTS.map((mutant: Mutant): [string, Mutant] => [mutant.name, mutant]))(
  'a shop that %s has exactly the right findings',
  async (_name, mutant) => {
    expect(await findingsOf(ADAPTER, commandOf([mutant]), DECISIVE_SITUATIONS)).toEqual(mutant.findings ?? []);
  },
);

it('a shop that believes forged notifications is found even if it never queries the status', async () => {
  const names = ['does not verify signatures', 'applies notifications in the order of arrival'];
  const mutants = MUTANTS.filter(({ name }: Mutant) => names.includes(name));
  expect(await findingsOf(ADAPTER, commandOf(mutants), DECISIVE_SITUATIONS)).toEqual(['SBX-W20']);
});
