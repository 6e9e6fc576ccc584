import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export const SECRET = 'whsec_dGhlIHNlY3JldCBvZiB0aGUgcmVjZWl2ZXI=';
export const AMOUNT = '10.00';

interface Order {
  state: string;
  fulfilments: number;
  paidAmount: string;
}

interface Notification {
  paymentReference: string;
  status: string;
  paymentAmount: number;
  paymentCurrency: string;
}

export interface Faults {
  /** Accepts any signature, or none. */
  acceptsAnySignature?: boolean;
  /** Verifies the signature over re-encoded JSON. */
  verifiesReencodedJson?: boolean;
  /** Fulfils the order again with each notification of `Paid`. */
  fulfilsAgain?: boolean;
  acceptsAnyAmount?: boolean;
  acceptsAnyCurrency?: boolean;
  fulfilsAnyStatus?: boolean;
  /** Returns to an older state after an older notification. */
  downgrades?: boolean;
  /** Answers with this status, and does nothing. */
  status?: number;
  hangs?: boolean;
  /** Does not answer the first notification of each order. */
  hangsFirst?: boolean;
}

function isVerified(headers: IncomingHttpHeaders, body: string): boolean {
  const [id, timestamp, given] = ['id', 'timestamp', 'signature'].map((name) => headers[`webhook-${name}`]);
  const key = Buffer.from(SECRET.replace('whsec_', ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return given === `v1,${signature}` && Math.abs(Date.now() / 1000 - Number(timestamp)) < 300;
}

const RETURNED = ['Refunded', 'Reversed', 'ChargedBack'];

function applyNotification(
  order: Order,
  { status, paymentAmount, paymentCurrency }: Notification,
  isRepeated: boolean,
  faults: Faults,
): number {
  const isPaid = status === 'Paid' || faults.fulfilsAnyStatus;
  const isRightAmount = faults.acceptsAnyAmount || paymentAmount === Number(AMOUNT);
  const isRightCurrency = faults.acceptsAnyCurrency || paymentCurrency === 'USD';
  if (isPaid && !(isRightAmount && isRightCurrency)) {
    return 422;
  }
  if (isPaid && RETURNED.includes(order.state)) {
    return 204;
  }
  if (isPaid && (order.fulfilments === 0 || faults.fulfilsAgain)) {
    Object.assign(order, { state: 'paid', fulfilments: order.fulfilments + 1, paidAmount: AMOUNT });
  } else if (['Failed', 'Cancelled', 'Expired'].includes(status)) {
    order.state = order.fulfilments === 0 || faults.downgrades ? status : order.state;
  } else if (!isPaid && !isRepeated) {
    Object.assign(order, { state: status, paidAmount: RETURNED.includes(status) ? '0.00' : AMOUNT });
  }
  return 204;
}

/** Starts receivers that know orders ORDER-1, ORDER-2 and so on; each ends with its test. */
export function receiversWithFaults(): (faults?: Faults) => Promise<{ webhookUrl: string; check: string }> {
  const receivers: Server[] = [];
  afterEach(() => {
    for (const receiver of receivers.splice(0)) {
      receiver.closeAllConnections();
      receiver.close();
    }
  });
  return async (faults = {}) => {
    const orders = new Map<string, Order>();
    const notified = new Set<string>();
    const knownIds = new Set<unknown>();
    const orderOf = (reference: string) => {
      const order = orders.get(reference) ?? { state: 'open', fulfilments: 0, paidAmount: '0.00' };
      orders.set(reference, order);
      return order;
    };
    const server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) {
        body += chunk;
      }
      if (request.url?.startsWith('/nothing/')) {
        response.writeHead(404).end();
      } else if (request.method === 'GET') {
        response.end(JSON.stringify(orderOf(request.url?.split('/').at(-1) ?? '')));
      } else if (faults.status !== undefined) {
        response.writeHead(faults.status).end();
      } else if (!faults.hangs) {
        const notification = JSON.parse(body) as Notification;
        if (faults.hangsFirst && !notified.has(notification.paymentReference)) {
          notified.add(notification.paymentReference);
          return;
        }
        const isKnown = /^ORDER-\d+$/.test(notification.paymentReference);
        const verifiedText = faults.verifiesReencodedJson ? JSON.stringify(notification) : body;
        const isGenuine = faults.acceptsAnySignature || isVerified(request.headers, verifiedText);
        const id = request.headers['webhook-id'];
        const isRepeated = knownIds.has(id);
        knownIds.add(id);
        const status = isGenuine
          ? isKnown
            ? applyNotification(orderOf(notification.paymentReference), notification, isRepeated, faults)
            : 404
          : 401;
        response.writeHead(status).end();
      }
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    receivers.push(server);
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return { webhookUrl: `${base}/webhook`, check: `${base}/orders/{reference}` };
  };
}
