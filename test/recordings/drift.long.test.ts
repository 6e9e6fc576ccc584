import { appendFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { drift } from '../../src/recordings/drift.ts';
import { startSandbox } from '../sandbox.ts';
import { temporaryFolders } from '../temporary-folder.ts';
import { linesOf } from './drift/compared.ts';
import { exchangesOfShop } from './drift/shop.ts';
import { BEGIN, recordingOf, Tape } from './player/tape.ts';

const temporaryFolder = temporaryFolders();
const SCENARIO = 'auto-approve';

async function record(settings: Parameters<typeof exchangesOfShop>[1]): Promise<string> {
  const folder = temporaryFolder();
  await recordingOf(folder, await exchangesOfShop(temporaryFolder, settings));
  return folder;
}

test('a sandbox does not differ from itself', async () => {
  const folder = await record({ scenario: SCENARIO });
  const report = await drift({ folder, scenario: SCENARIO });
  expect(linesOf(report)).toEqual([]);
  expect(report).toMatchObject({ verdict: 'same', notCompared: [] });
  expect(report.compared).toMatchObject({ exchanges: 22, notifications: 4, payments: 4 });
});

test('a lenient service does not differ from a sandbox with the same validation', async () => {
  const folder = temporaryFolder();
  await recordingOf(folder, await callsOfLenientService());
  const strict = await drift({ folder });
  expect(linesOf(strict)).toContain('status status: [200] | [400]');
  const report = await drift({ folder, validation: 'lenient' });
  expect(linesOf(report)).toEqual([]);
  const unnegotiated = await drift({ folder, validation: 'lenient', contentType: 'interface' });
  expect(linesOf(unnegotiated)).toEqual([
    'content-type content-type: ["application/json; charset=utf-8"] | ["text/plain; charset=utf-8"]',
  ]);
});

/** Payments that strict validation refuses; one client prefers JSON. */
async function callsOfLenientService() {
  const service = await startSandbox({ now: Date.parse(BEGIN), validation: 'lenient' });
  const shop = new Tape(service.url);
  await shop.pay({ amount: 10, payerReference: 'ORDER-1' });
  await shop.pay({ profileId: '1', payerReference: 'ORDER-2' });
  await shop.pay({ walletName: 'wallet_Qr', payerReference: 'ORDER-3' });
  await shop.call('GET', '/init/banks/all', null, { Accept: 'application/json, text/plain, */*' });
  await service.close();
  return shop.calls;
}

test('each effect of a different scenario or behaviour is reported once', async () => {
  const declined = await record({ scenario: 'declined' });
  expect(linesOf(await drift({ folder: declined, scenario: SCENARIO }))).toEqual([
    'sequence states: [["Failed"]] | [["Paid"]]',
  ]);
  const settings = { scenario: SCENARIO, behaviour: 'notified-by-put-with-hash' };
  const folder = await record(settings);
  expect(linesOf(await drift({ folder, scenario: SCENARIO }))).toEqual([
    'signature signature: ["hexadecimal text of 128 characters"] | Standard Webhooks',
    'method method: ["PUT"] | ["POST"]',
  ]);
  expect((await drift({ folder, ...settings })).verdict).toBe('same');
});

test('the report explains why payments wait for their payer, and names the file with an ignored line', async () => {
  const exchanges = JSON.stringify(await exchangesOfShop(temporaryFolder, { scenario: SCENARIO }));
  const folder = temporaryFolder();
  await recordingOf(folder, JSON.parse(exchanges.replaceAll('"Paid"', '"Settled"')));
  const [file = ''] = readdirSync(folder).map((name) => join(folder, name));
  appendFileSync(file, '{"kind":"call"');
  const incomplete = `An incomplete line at the end of ${file} was ignored.`;
  expect((await drift({ folder })).notices).toEqual([
    expect.stringContaining('with --scenario auto-approve, they are decided'),
    incomplete,
  ]);
  const decided = await drift({ folder, scenario: SCENARIO });
  expect(decided.notices).toEqual([incomplete]);
  const sequences = decided.differences.filter(({ kind }) => kind === 'sequence');
  expect(sequences.map(({ fixtures }) => fixtures)).toEqual([['payment-states.json', 'scenarios/*.json']]);
});
