import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allFlows } from '../../../../src/server/domain/channels/channels.ts';
import { startSandbox } from '../../../sandbox.ts';
import { temporaryFolders } from '../../../temporary-folder.ts';
import { Workbench } from '../workbench.ts';

const temporaryFolder = temporaryFolders();

it('each flow encodes the id, code or mobile number of a payment in the path of its page', async () => {
  const bench = await Workbench.open();
  const oddPayment = { ...(await bench.pay()), paymentId: 'a/b', paymentCode: 'c d', payerMobile: '+1 2' };
  expect(Object.fromEntries(allFlows().map((flow) => [flow.name, flow.pathOf(oddPayment)]))).toEqual({
    'qr-code': '/pay/approve/c%20d',
    'pin-prompt': '/pay/phone/%2B1%202',
    redirect: '/pay/checkout?paymentCode=a%2Fb',
  });
});

it('a fixture whose channel has an unknown flow is refused', async () => {
  const fixtures = join(temporaryFolder(), 'fixtures');
  mkdirSync(fixtures);
  writeFileSync(
    join(fixtures, 'channels.json'),
    JSON.stringify({ channels: [{ id: 'card-switch', flow: 'carrier-pigeon' }] }),
  );
  await expect(startSandbox({ fixtures })).rejects.toThrow(
    'channels.json: $.channels[0].flow: expected one of qr-code, pin-prompt, redirect, received "carrier-pigeon"',
  );
});
