import request from 'supertest';
import type { SandboxClient } from '../../../src/client/client.ts';
import { single } from '../../interface/calls.ts';
import { startSandbox } from '../../sandbox.ts';

const SETTINGS = { now: Date.parse('2026-03-01T10:00:00Z') };

const pay = ({ baseUrl }: SandboxClient, payerReference: string) =>
  request(baseUrl).post('/sandbox/init/authenticate/merchant/wallet').send(single({ payerReference }));

describe('a history', () => {
  it('that is long does not delay calls to another session while it or its bundle is written', async () => {
    const { client, close, session } = await startSandbox(SETTINGS);
    const refused = Array.from({ length: 1500 }, (_, index) => pay(client, `ORDER-${index}`).send({ amount: '?' }));
    for (let index = 0; index < refused.length; index += 20) {
      await Promise.all(refused.slice(index, index + 20));
    }
    const other = session('other');
    await pay(other, 'ORDER-1');
    for (const make of [() => client.bundle(), () => client.history()]) {
      let isMade = false;
      const history = make().finally(() => {
        isMade = true;
      });
      let answers = 0;
      for (; !isMade; answers += 1) {
        await other.clock();
      }
      await history;
      expect(answers).toBeGreaterThan(5);
    }
    await close();
  });
});
