import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Express } from 'express';
import request from 'supertest';
import { exampleOf } from '../../interface/examples.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';

const PAYMENTS = '/sandbox/init/authenticate/merchant/wallet';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function startServer(application: Express): Promise<string> {
  const server = application.listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('sandbox.app', () => {
  it('can be passed to supertest directly', async () => {
    const answer = await request(sandbox.app).post(PAYMENTS).send(exampleOf('requests/single-payment'));
    expect([answer.status, JSON.parse(answer.text).paymentInitiationResponse.status]).toEqual([200, '00']);
    expect(answer.headers).not.toHaveProperty('x-powered-by');
  });

  it('serves the interface, sessions and the control API below a path of an Express server', async () => {
    const server = express();
    server.get('/health', (_request, response) => response.send('shop'));
    server.use('/payments', sandbox.app);
    server.use((_request, response) => response.status(404).send('shop'));
    const url = await startServer(server);
    const payment = await request(url)
      .post(`/payments/s/mounted${PAYMENTS}`)
      .send(exampleOf('requests/single-payment'));
    expect(payment.status).toBe(200);
    const { body } = await request(url).get('/payments/s/mounted/_sandbox/payments');
    expect(body.items).toHaveLength(1);
    expect((await request(url).get('/payments/nothing')).status).toBe(404);
    expect(JSON.parse((await request(url).get('/payments/nothing')).text)).toHaveProperty('errorMessage');
    expect((await request(url).get('/health')).text).toBe('shop');
    expect((await request(url).get('/nothing')).text).toBe('shop');
  });

  it('refuses a request whose body an earlier parser has read, and says where to mount the application', async () => {
    const url = await startServer(express().use(express.json()).use(sandbox.app));
    const answer = await request(url).post(PAYMENTS).send(exampleOf('requests/single-payment'));
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text).auth.errorResponse.errorMessage).toContain(
      'mount sandbox.app before body parsers such as express.json()',
    );
    expect((await request(url).get('/_sandbox/payments')).status).toBe(200);
  });
});
