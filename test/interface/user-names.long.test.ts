import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import { temporaryFolders } from '../temporary-folder.ts';
import { exampleOf, MERCHANT } from './examples.ts';
import { startSandbox } from './sandboxes.ts';

const newFolder = temporaryFolders();
/** Names that every object inherits, and names that objects would sort differently. */
const NAMES = [
  'constructor',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '__proto__',
  'prototype',
  'then',
  'length',
  '0',
  '42',
];

const shipped = (file: string) => JSON.parse(readFileSync(join('fixtures', file), 'utf8'));

/** A folder of fixtures in which everything that a user can name has this name. */
function folderWith(name: string): string {
  const folder = newFolder();
  const [qrWallet] = shipped('channels.json').channels;
  const [fee] = shipped('fees.json').fees;
  const [merchant] = shipped('merchants.json').merchants;
  const template = { ...qrWallet.answers.default, status: 'named' };
  const sample = { ...shipped('webhook-samples.json').samples['TRANSACTIONS'], description: 'named' };
  const files = {
    'channels.json': {
      channels: [
        { id: 'qr-wallet', answers: { [name]: template } },
        { ...qrWallet, id: name, names: [name] },
      ],
    },
    'fees.json': { fees: [{ ...fee, channel: name, id: 99 }] },
    'merchants.json': { merchants: [{ ...merchant, id: name }] },
    'operations.json': { operations: { initiatePayment: { aliases: [{ environment: 'sandbox', path: `/${name}` }] } } },
    'webhook-samples.json': { samples: { [name]: sample } },
  };
  for (const [file, value] of Object.entries(files)) {
    writeFileSync(join(folder, file), JSON.stringify(value));
  }
  mkdirSync(join(folder, 'scenarios'));
  return folder;
}

/** Scenarios and sessions are named in addresses, where some of these names are refused. */
const inAddress = (name: string) => (/^[A-Za-z0-9]/.test(name) ? name : 'plain');

it.each(NAMES)('%s can be any name that a user chooses, also after a restart', async (name) => {
  const options = { data: join(newFolder(), 'state.json'), fixtures: folderWith(name) };
  const before = await startSandbox(options);
  const session = before.session(inAddress(name));
  const scenario = { name: inAddress(name), description: name, rules: [{ respond: { template: name } }] };
  await session.defineScenario(scenario);
  await session.useScenario(scenario.name);
  const pay = async (walletName: string) => {
    const body = {
      ...exampleOf('requests/single-payment', MERCHANT),
      walletName,
      merchantId: name,
      payerReference: name,
    };
    const { status, text } = await request(session.baseUrl).post(`/${name}`).send(body);
    expect([status, text]).toEqual([200, expect.stringContaining('{')]);
    return JSON.parse(text).paymentInitiationResponse.status;
  };
  // Only the shipped channel has an answer with this name; the other channel answers as usual.
  expect([await pay('WALLET_QR'), await pay(name)]).toEqual(['named', '00']);
  const body = { url: 'http://127.0.0.1:1/', webHookType: name };
  const testerAnswer = await request(session.baseUrl).post('/init/customerWebhookTesterRequest').send(body);
  expect([testerAnswer.status, JSON.parse(testerAnswer.text).description]).toEqual([200, 'named']);
  expect(
    (await session.verify({ match: { merchantId: name, body: { payerReference: name } }, count: 2 })).matched,
  ).toBe(2);
  expect(await session.call('GET', `/merchants/${name}`)).toMatchObject({ id: name });
  const state = await session.state();
  const payment = await session.payment(name);
  expect(payment).toMatchObject({ id: 'payment-2', channel: name, payerReference: name });
  await before.close();

  const after = await startSandbox(options);
  const same = after.session(inAddress(name));
  expect(await same.state()).toEqual(state);
  expect(await same.payment(name)).toEqual(payment);
  await same.useScenario('auto-approve');
  await same.call('DELETE', `/scenarios/${scenario.name}`);
  await after.client.deleteSession(inAddress(name));
  expect(await after.client.list('sessions')).toMatchObject({ items: [] });
  await after.close();
});

it.each(NAMES)('%s is refused as a name if nothing has that name', async (name) => {
  const sandbox = await startSandbox();
  const statusOf = async (path: string) => (await request(sandbox.url).get(path)).status;
  const paths = ['payments', 'payouts', 'links', 'merchants', 'webhooks/deliveries', 'requests'];
  expect(await Promise.all(paths.map((path) => statusOf(`/_sandbox/${path}/${name}`)))).toEqual(paths.map(() => 404));
  expect(await statusOf(`/pay/versions/${name}/1`)).toBe(404);
  const testerAnswer = await request(sandbox.url)
    .post('/init/customerWebhookTesterRequest')
    .send({ url: 'http://127.0.0.1:1/', webHookType: name });
  const body = exampleOf('requests/single-payment', { ...MERCHANT, walletName: name });
  const payment = await request(sandbox.url).post('/init/authenticate/merchant/wallet').send(body);
  expect([testerAnswer.status, payment.status]).toEqual([400, 400]);
  await sandbox.close();
});

it.each(NAMES)('a message called %s is refused, because nothing sends it', async (name) => {
  const folder = newFolder();
  const operations = { operations: { saveFastCheckout: { messages: { [name]: 'Thank you' } } } };
  writeFileSync(join(folder, 'operations.json'), JSON.stringify(operations));
  await expect(startSandbox({ fixtures: folder })).rejects.toThrow('a message that nothing sends');
});
