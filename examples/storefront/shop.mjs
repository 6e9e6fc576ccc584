// A shop to click through: three goods, a subscription and a code on the counter, paid by any channel or by a link. It fulfils an
// order when a notification reports its payment, and queries unfulfilled orders on request.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { channelOf, itemOf, LINK } from './catalogue.mjs';
import { changes, findOrder, place, queryOrder, receiveNotification, reconcile } from './orders.mjs';
import { checkout, home, notFound, orderPage } from './pages.mjs';
import { ICON } from './pictures.mjs';

const { PORT = '3000', SHOP_CODE_URL } = process.env;
const MAX_BODY_LENGTH = 64 * 1024;

const fileOf = (name) => readFileSync(new URL(name, import.meta.url));
const FILES = {
  '/storefront.css': ['text/css', fileOf('storefront.css')],
  '/live.js': ['text/javascript', fileOf('live.js')],
  '/icon.svg': ['image/svg+xml', ICON],
};

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  `img-src 'self' data: ${SHOP_CODE_URL ? new URL(SHOP_CODE_URL).origin : ''}`.trim(),
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

function sendPage(response, text, status = 200) {
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': POLICY };
  response.writeHead(status, { ...headers, 'Cache-Control': 'no-store' }).end(text);
}

const sendJson = (response, status, body) =>
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
const redirect = (response, location) => response.writeHead(303, { Location: location }).end();
const wantsPage = ({ headers }) => headers.accept?.includes('text/html') === true;

/** A request that is answered with this status. */
class Refused extends Error {
  constructor(status) {
    super(`refused with ${status}`);
    this.status = status;
  }
}

async function bodyOf(request) {
  let body = '';
  let size = 0;
  for await (const chunk of request.setEncoding('utf8')) {
    size += chunk.length;
    // A body that is too large is read to its end, because otherwise the connection breaks before the answer.
    body = size > MAX_BODY_LENGTH ? '' : body + chunk;
  }
  if (size > MAX_BODY_LENGTH) {
    throw new Refused(413);
  }
  return body;
}

/** The members of an order's form or JSON, as texts. */
function inputIn(text, isForm) {
  if (isForm) {
    return Object.fromEntries(new URLSearchParams(text));
  }
  try {
    const members = Object.entries(JSON.parse(text));
    return Object.fromEntries(members.map(([name, value]) => [name, String(value)]));
  } catch {
    throw new Refused(400);
  }
}

/** The mistake in an order, in words for the customer. */
function problemWith({ amount, name = '', mobile = '', channel }) {
  if (!/^[1-9]\d{0,4}\.\d\d$/.test(amount)) {
    return 'Enter an amount from 1.00 to 99999.00 with two decimals, such as 25.00.';
  }
  if (name.trim() === '' || !/^\d{8,15}$/.test(mobile)) {
    return 'Enter your name, and your mobile number in digits with the country code, such as 263770000001.';
  }
  return channelOf(channel) || channel === LINK.id ? undefined : 'Choose how you want to pay.';
}

async function takeOrder(request, response) {
  const text = await bodyOf(request);
  const isForm = /^application\/x-www-form-urlencoded\b/.test(request.headers['content-type'] ?? '');
  const input = inputIn(text, isForm);
  const item = itemOf(input.item);
  if (!item) {
    sendPage(response, notFound(), 404);
    return;
  }
  const { name, mobile, channel } = input;
  const amount = item.isOpen ? String(input.amount ?? '').trim() : item.amount;
  const problem = problemWith({ ...input, amount });
  if (problem) {
    sendPage(response, checkout(item, problem, input), 422);
    return;
  }
  const order = await place({ item, amount, channel, payer: { name, mobile } }, `http://${request.headers.host}`);
  if (isForm) {
    redirect(response, `/orders/${order.id}`);
  } else {
    sendJson(response, 201, { id: order.id });
  }
}

/** Notifies an open page of each change of its order. */
function follow(id, request, response) {
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  const notify = () => response.write('event: changed\ndata: \n\n');
  changes.on(id, notify);
  request.on('close', () => changes.off(id, notify));
  // The order may have changed before the page listened.
  notify();
}

async function handle(request, response) {
  const { method, headers } = request;
  const [pathname] = request.url.split('?', 1);
  const [, first = '', second = '', third = ''] = pathname.split('/');
  const order = first === 'orders' ? findOrder(second) : undefined;
  const route = `${method} /${first}${third === '' ? '' : `/${third}`}`;
  if (method === 'GET' && Object.hasOwn(FILES, pathname)) {
    const [type, content] = FILES[pathname];
    response.writeHead(200, { 'Content-Type': type }).end(content);
  } else if (method === 'GET' && pathname === '/') {
    sendPage(response, home());
  } else if (route === 'GET /buy' && itemOf(second)) {
    sendPage(response, checkout(itemOf(second)));
  } else if (route === 'POST /orders' && second === '') {
    await takeOrder(request, response);
  } else if (route === 'POST /webhook') {
    response.writeHead(await receiveNotification(headers, await bodyOf(request))).end();
  } else if (method === 'POST' && pathname === '/jobs/reconcile') {
    await reconcile();
    response.writeHead(204).end();
  } else if (route === 'GET /orders/events' && order) {
    follow(order.id, request, response);
  } else if (route === 'POST /orders/ask' && order) {
    await queryOrder(order).catch(() => undefined);
    redirect(response, `/orders/${order.id}`);
  } else if (route === 'GET /orders' && order) {
    if (wantsPage(request)) {
      sendPage(response, orderPage(order));
    } else {
      const { id, state, fulfilments, paidAmount } = order;
      sendJson(response, 200, { id, state, fulfilments, paidAmount });
    }
  } else {
    sendPage(response, notFound(), 404);
  }
}

const server = createServer((request, response) => {
  handle(request, response).catch((error) => {
    if (response.headersSent || request.socket.destroyed) {
      response.destroy();
      return;
    }
    if (!(error instanceof Refused)) {
      console.error(`${request.method} ${request.url}: ${error.message}`);
    }
    response.writeHead(error.status ?? 503).end();
  });
});
server.listen(Number(PORT), '127.0.0.1', () => console.log(`The shop is open at http://127.0.0.1:${PORT}`));
