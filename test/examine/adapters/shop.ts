import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Answer = [status: number, body?: unknown];

/** A fake shop for tests of adapters. */
export interface Shop {
  app: string;
  /** Received requests, such as "POST /orders". */
  requests: string[];
  /** Headers of the last request. */
  lastHeaders: IncomingMessage['headers'];
  lastBody: string;
  /** Returns the answer: undefined for no answer, and `break` to close the connection. */
  answer: (getDefault: () => Answer) => Answer | 'break' | undefined;
  close(): Promise<void>;
}

const DEFAULT: Shop['answer'] = (getDefault) => getDefault();

/** Starts a shop with one order, `order 7/ä`, that is paid and has two shipments. It refuses orders by card, but stores them as order 9. */
export async function startShop(): Promise<Shop> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) {
      body += chunk;
    }
    respond(shop, request, body, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const shop: Shop = {
    app: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    lastBody: '',
    lastHeaders: {},
    answer: DEFAULT,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return shop;
}

function respond(shop: Shop, request: IncomingMessage, body: string, response: ServerResponse): void {
  const line = `${request.method} ${request.url}`;
  shop.requests.push(line);
  [shop.lastHeaders, shop.lastBody] = [request.headers, body];
  const answer = shop.answer(() => defaultAnswer(line, body));
  if (answer === 'break') {
    request.socket.destroy();
  } else if (answer) {
    const [status, answerBody] = answer;
    response.writeHead(status).end(typeof answerBody === 'string' ? answerBody : JSON.stringify(answerBody));
  }
}

function defaultAnswer(line: string, body: string): Answer {
  if (line === 'POST /orders') {
    const isCard = body.includes('card-');
    return isCard ? [422, { order: { id: 9 } }] : [201, { order: { id: 'order 7/ä' } }];
  }
  if (line.startsWith('GET /orders/')) {
    return [200, { order: { status: 'PAID', shipments: ['a', 'b'], paid: '10.50' } }];
  }
  return line.endsWith('/cancel') ? [409, { message: 'it is paid' }] : [204];
}
