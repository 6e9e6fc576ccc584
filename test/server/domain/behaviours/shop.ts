import request from 'supertest';
import type { SandboxClient } from '../../../../src/index.ts';
import { exampleOf, MERCHANT } from '../../../interface/examples.ts';
import { startReceiver } from '../webhooks/receiver.ts';

/** The time at which the sandbox starts in tests that use this shop. */
export const NOW = Date.parse('2026-03-01T10:00:00.000Z');

/** A shop with its own receiver, whose status a test can change. */
export async function openShop(session: SandboxClient, behaviour?: string) {
  let status = 200;
  const receiver = await startReceiver((_call, response) => response.writeHead(status).end());
  const { endpoints } = await session.setEndpoints([{ url: receiver.url }]);
  if (behaviour !== undefined) {
    await session.useBehaviour(behaviour);
  }
  return {
    session,
    receiver,
    endpoint: endpoints[0] ?? { id: '', secret: '' },
    answerWith(next: number) {
      status = next;
    },
    async pay(payerReference: string, headers: Record<string, string> = {}) {
      await request(session.baseUrl)
        .post('/sandbox/init/authenticate/merchant/wallet')
        .set(headers)
        .send({ ...exampleOf('requests/single-payment'), payerReference });
    },
    async payAndSettle(payerReference: string) {
      await this.pay(payerReference);
      await session.settle(payerReference, 'Paid');
      await session.advance('PT0S');
    },
    /** The status that the status query returns. */
    async statusOf(transactionReference: string): Promise<string> {
      const { text } = await request(session.baseUrl).post('/auth/authenticate/merchant').send(MERCHANT);
      const answer = await request(session.baseUrl)
        .get('/sandbox/api/getPaymentDetails')
        .query({ transactionReference, walletName: 'WALLET_QR' })
        .set('Authorization', `Bearer ${JSON.parse(text).token}`);
      return JSON.parse(answer.text).status;
    },
    /** The deliveries, oldest first, with the seconds after the start at which each was attempted. */
    async deliveries() {
      const { items } = await session.deliveries({ order: 'oldest', limit: '1000' });
      return items.map((delivery) => ({
        ...delivery,
        seconds: delivery.attempts.map(({ at }) => (Date.parse(at) - NOW) / 1000),
      }));
    },
  };
}
