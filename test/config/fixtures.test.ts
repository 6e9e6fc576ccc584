import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import { FixtureError, loadFixtures, overlay } from '../../src/config/fixtures.ts';
import { REFUSAL_STATUS } from '../../src/refusal.ts';
import { startSandbox } from '../../src/sandbox.ts';
import { validate } from '../../src/schema/validation.ts';
import { exampleOf } from '../interface/examples.ts';
import { temporaryFolders } from '../temporary-folder.ts';

const folderOf = temporaryFolders();

function userFolder(files: Record<string, unknown>): string {
  const folder = folderOf();
  mkdirSync(join(folder, 'scenarios'));
  for (const [name, value] of Object.entries(files)) {
    writeFileSync(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value));
  }
  return folder;
}

const shipped = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.json'));

it.each(shipped('fixtures'))('fixtures/%s fits the schema that it names', async (name) => {
  const fixture = JSON.parse(readFileSync(join('fixtures', name), 'utf8'));
  expect(fixture.$schema).toBe(`../schemas/fixtures/${name}`);
  expect(await validate(`fixtures/${name.replace('.json', '')}`, fixture)).toEqual([]);
});

it.each(shipped('fixtures/scenarios'))(
  'the scenario %s fits its schema and bears the name of its file',
  async (name) => {
    const scenario = JSON.parse(readFileSync(join('fixtures/scenarios', name), 'utf8'));
    expect(scenario.$schema).toBe('../../schemas/fixtures/scenario.json');
    expect(`${scenario.name}.json`).toBe(name);
    expect(await validate('fixtures/scenario', scenario)).toEqual([]);
  },
);

it('gives every kind of refusal the status that the code knows, and leaves none out', async () => {
  expect((await loadFixtures()).errors.statuses).toEqual(REFUSAL_STATUS);
});

it('has a fee row for every channel', async () => {
  const fixtures = await loadFixtures();
  const rows = fixtures.fees.fees.map(({ channel }) => channel);
  expect(rows).toEqual([...fixtures.channels.channels.map(({ id }) => id), 'payout']);
});

it('merges objects, and lists by id, name or channel; other lists replace', () => {
  const below = { a: { b: 1, c: 2 }, list: [{ id: 1, x: 1 }, { id: 2 }], names: ['one'] };
  const above = { a: { c: 3 }, list: [{ id: 1, y: 2 }, { id: 3 }], names: ['two'] };
  expect(overlay(below, above)).toEqual({
    a: { b: 1, c: 3 },
    list: [{ id: 1, x: 1, y: 2 }, { id: 2 }, { id: 3 }],
    names: ['two'],
  });
});

it("serves a user's wallet name, path, fee and error body from a folder of their own", async () => {
  const fixtures = userFolder({
    'channels.json': { channels: [{ id: 'qr-wallet', names: ['Real Name'] }] },
    'operations.json': { operations: { initiatePayment: { aliases: [{ environment: 'sandbox', path: '/v2/pay' }] } } },
    'errors.json': {
      statuses: { 'business-rule': 409 },
      envelopes: { payment: { why: '{{message}}', code: '{{status}}' } },
    },
  });
  const sandbox = await startSandbox({ fixtures });
  const body = exampleOf('requests/single-payment', { walletName: 'REAL NAME' });
  const paid = await request(sandbox.url).post('/v2/pay').send(body);
  const refused = await request(sandbox.url)
    .post('/v2/pay')
    .send({ ...body, profileId: 9 });
  await sandbox.close();
  expect(paid.status).toBe(200);
  expect([refused.status, JSON.parse(refused.text)]).toMatchObject([
    409,
    { why: expect.stringContaining('a profile of merchant M-1000'), code: 409 },
  ]);
});

it('adds a channel by one entry and its fees', async () => {
  const { channels, fees } = await loadFixtures();
  const fixtures = userFolder({
    'channels.json': { channels: [{ ...channels.channels[4], id: 'card-network-c', names: ['WALLET_CARD_C'] }] },
    'fees.json': { fees: [{ ...fees.fees[4], channel: 'card-network-c', id: 7 }] },
  });
  const sandbox = await startSandbox({ fixtures });
  const answer = await request(sandbox.url)
    .post('/init/authenticate/merchant/wallet')
    .send(exampleOf('requests/single-payment', { walletName: 'wallet_card_c' }));
  await sandbox.close();
  expect(JSON.parse(answer.text).paymentInitiationResponse.status).toBe('Success');
});

it.each([
  ['that is not JSON', { 'fees.json': '{' }, /fees\.json: is not JSON/],
  ['that breaks its schema', { 'times.json': { localOffset: 'two hours' } }, /times\.json: \$\.localOffset: expected/],
  [
    'whose alias is taken',
    {
      'operations.json': {
        operations: { listBanks: { aliases: [{ environment: 'sandbox', path: '/param/paymentIntervals' }] } },
      },
    },
    /is a path of listPaymentIntervals already/,
  ],
  [
    'for an operation that there is not',
    { 'operations.json': { operations: { payAgain: {} } } },
    /there is no operation payAgain/,
  ],
  [
    'for a scenario with an unknown fault',
    { 'scenarios/odd.json': { name: 'odd', description: '', rules: [{ fault: { at: 'before', kind: 'fire' } }] } },
    /odd\.json: \$\.rules\[0\]\.fault\.kind: expected one of/,
  ],
])('refuses a fixture %s, naming file and place', async (_what, files, words) => {
  const start = startSandbox({ fixtures: userFolder(files) });
  await expect(start).rejects.toThrow(FixtureError);
  await expect(start).rejects.toThrow(words);
});
