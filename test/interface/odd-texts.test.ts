import { join } from 'node:path';
import fc from 'fast-check';
import request from 'supertest';
import { anyCharacter } from '../any-character.ts';
import { temporaryFolders } from '../temporary-folder.ts';
import { exampleOf, MERCHANT } from './examples.ts';
import { startSandbox } from './sandboxes.ts';

const newFolder = temporaryFolders();
const TEXTS = [
  ...fc.sample(fc.string({ unit: anyCharacter, minLength: 1, maxLength: 40 }), { numRuns: 40, seed: 1 }),
  'Ordre n° 1001, à payer',
  'ORDER 1001 '.repeat(15),
  '\ud83d',
  '\u0000',
];

it.each(['strict', 'lenient'] as const)(
  'every accepted text of a merchant is unchanged after a restart, with %s validation',
  async (validation) => {
    const data = join(newFolder(), 'state.json');
    const before = await startSandbox({ data, validation });
    const acceptedTexts: string[] = [];
    for (const [index, text] of TEXTS.entries()) {
      const walletName = ['WALLET_MOBILE', 'WALLET_QR', 'WALLET_CARD_A'][index % 3];
      const mobile = walletName === 'WALLET_MOBILE' ? { payerMobile: '263770000001' } : {};
      const texts = { payerReference: text, paymentDescription: text, payerName: text };
      const { status } = await request(before.url)
        .post('/sandbox/init/authenticate/merchant/wallet')
        .send({ ...exampleOf('requests/single-payment', { walletName, ...mobile }), ...MERCHANT, ...texts });
      expect([200, 400]).toContain(status);
      if (status === 200) {
        acceptedTexts.push(text);
      }
    }
    expect(acceptedTexts.length).toBeGreaterThan(20);
    await before.close();
    const after = await startSandbox({ data, validation });
    const { items } = await after.client.payments({ limit: '1000', order: 'oldest' });
    expect(items.map(({ payerReference }) => payerReference)).toEqual(acceptedTexts);
    expect((await request(after.url).get('/pay/phone/263770000001')).status).toBe(200);
    await after.close();
  },
);
