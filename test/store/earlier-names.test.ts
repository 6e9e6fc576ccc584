import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Tables } from '../../src/store/memory/tables.ts';
import { loadSession } from '../../src/store/postgres/session-rows.ts';
import { type Sandbox, startSandbox } from '../sandbox.ts';
import { temporaryFolders } from '../temporary-folder.ts';

const WRITTEN = 'test/store/format-5';
const temporaryFolder = temporaryFolders();

/** A sandbox on a copy of a file of format 5, with the journal beside it where there is one. */
function startOn(name: string): Promise<Sandbox> {
  const data = join(temporaryFolder(), 'sandbox.json');
  for (const end of ['', '.journal']) {
    if (existsSync(join(WRITTEN, `${name}${end}`))) {
      copyFileSync(join(WRITTEN, `${name}${end}`), `${data}${end}`);
    }
  }
  return startSandbox({ data });
}

/** One payment was refunded in part, another is charged back two days after it is paid; so are those that come. */
async function expectAdjustments({ client }: Sandbox): Promise<void> {
  const refund = { kind: 'refund', amount: '3.00', description: 'Refunded by the merchant' };
  expect(await client.payment('ORDER-1001')).toMatchObject({ status: 'PartlyRefunded', adjustments: [refund] });
  const planned = { kind: 'chargeback', after: 'P2D' };
  expect(await client.payment('ORDER-1002')).toMatchObject({ state: 'Processing', plannedAdjustments: [planned] });
  await client.advance('P3D');
  expect(await client.payment('ORDER-1002')).toMatchObject({
    state: 'ChargedBack',
    adjustments: [{ kind: 'chargeback' }],
  });
  expect(await client.call('GET', '/state')).toMatchObject({
    scenarios: [{ scenario: { rules: [{ adjustments: planned }] } }],
  });
  expect(await client.call('GET', '/ledger/check')).toMatchObject({ balanced: true });
}

it.each([
  ['a state file', 'sandbox.json'],
  ['a journal', 'journal.json'],
])('what format 5 called afterwards are adjustments in %s', async (_where, name) => {
  const sandbox = await startOn(name);
  await expectAdjustments(sandbox);
  await sandbox.close();
});

it('what an export of that time called afterwards are adjustments', async () => {
  const sandbox = await startSandbox();
  await sandbox.client.call('PUT', '/state', JSON.parse(readFileSync(`${WRITTEN}/exported.json`, 'utf8')));
  await expectAdjustments(sandbox);
  await sandbox.close();
});

it('what rows of a database of that time called afterwards are adjustments', async () => {
  const { state, payments } = JSON.parse(readFileSync(`${WRITTEN}/exported.json`, 'utf8'));
  const [first, second] = payments;
  const lines = [
    { collection: 'payments', records: [first] },
    { changes: [{ collection: 'payments', id: second.id, record: second }] },
  ];
  const tables = new Tables();
  await loadSession(tables, 'default', [
    { state: JSON.stringify(state), lines: lines.map((line) => JSON.stringify(line)).join('\n') },
  ]);
  expect(tables.table('default', 'payments')?.get(first.id)).toMatchObject({ adjustments: [{ kind: 'refund' }] });
  expect(tables.table('default', 'payments')?.get(second.id)).toMatchObject({ plannedAdjustments: [{ after: 'P2D' }] });
});
