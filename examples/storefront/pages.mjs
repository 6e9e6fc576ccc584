// The pages for customers.
import { CHANNELS, CLUB_CHANNEL, CURRENCY, channelOf, ITEMS, LINK } from './catalogue.mjs';
import { html, pageOf } from './html.mjs';
import { latestOrders } from './orders.mjs';
import { pictureOf } from './pictures.mjs';

const { PAYMENTS_URL, SHOP_CODE_URL } = process.env;
const MAX_ORDERS = 6;

const money = (amount) => html`<span class="money">${amount} ${CURRENCY}</span>`;

/** The states of an order, in words for customers. */
const STATES = {
  open: 'Waiting for payment',
  paid: 'Paid',
  failed: 'Payment failed',
  cancelled: 'Payment cancelled',
  expired: 'Payment expired',
};
const wordsOf = (state) => STATES[state] ?? state;
const styleOf = (state) => (state === 'open' ? 'waits' : state === 'paid' ? 'good' : 'bad');
const badge = ({ state }) => html`<span class="badge ${styleOf(state)}">${wordsOf(state)}</span>`;

export function home() {
  const [club] = ITEMS.filter(({ interval }) => interval);
  return pageOf(
    'Corner Shop',
    html`<section class="welcome">
        <h1>Good coffee, around the corner.</h1>
        <p>Buy something, pay for it in any of six ways, and watch the notifications arrive.</p>
      </section>
      <ul class="shelf">
        ${ITEMS.filter((item) => item !== club).map(card)}
      </ul>
      <div class="pair">
        ${clubCard(club)} ${counter()}
      </div>
      ${ordersList()}`,
  );
}

function card({ id, name, about, amount, isOpen }) {
  return html`<li class="card">
    ${pictureOf(id)}
    <h2>${name}</h2>
    <p>${about}</p>
    <p class="buy">
      ${isOpen ? html`<span class="money">from 1.00 ${CURRENCY}</span>` : money(amount)}
      <a class="button" href="/buy/${id}" data-testid="buy-${id}" aria-label="Buy ${name}">Buy</a>
    </p>
  </li>`;
}

function clubCard({ id, name, about, amount }) {
  return html`<section class="card wide">
    ${pictureOf(id)}
    <div>
      <h2>${name}</h2>
      <p>${about}</p>
      <p class="buy">
        <span class="money">${amount} ${CURRENCY} a month</span>
        <a class="button" href="/buy/${id}" data-testid="buy-${id}">Join</a>
      </p>
    </div>
  </section>`;
}

/** The QR code on the counter, if the merchant has one. */
function counter() {
  return (
    SHOP_CODE_URL &&
    html`<section class="card wide">
      <img class="code" src="${SHOP_CODE_URL}.svg" alt="QR code to pay for a coffee at the counter" />
      <div>
        <h2>At the counter</h2>
        <p>Scan the code with your phone, or open it here, and pay for a coffee.</p>
        <p class="buy">
          <a class="button second" href="${SHOP_CODE_URL}" target="_blank" data-testid="shop-code">Open the code</a>
        </p>
      </div>
    </section>`
  );
}

function ordersList() {
  const orders = latestOrders().slice(0, MAX_ORDERS);
  return (
    orders.length > 0 &&
    html`<section>
      <h2>Latest orders</h2>
      <ul class="orders">
        ${orders.map(
          (order) => html`<li>
            <a href="/orders/${order.id}">${order.item.name}</a>
            <span class="quiet">${order.id}</span>
            ${money(order.amount)} ${badge(order)}
          </li>`,
        )}
      </ul>
    </section>`
  );
}

/** The form to order an item, with the `problem` of the previous input. */
export function checkout(item, problem, input = {}) {
  const options = item.interval ? [channelOf(CLUB_CHANNEL)] : [...CHANNELS, LINK];
  const chosen = input.channel ?? options[0].id;
  return pageOf(
    `Buy ${item.name}`,
    html`<a class="back" href="/">Back to the shop</a>
      <h1>${item.interval ? `Join the ${item.name}` : item.name}</h1>
      <form class="checkout" method="post" action="/orders">
        <input type="hidden" name="item" value="${item.id}" />
        ${problem && html`<p class="problem" role="alert">${problem}</p>`} ${amountOf(item, input)}
        <fieldset>
          <legend>How do you want to pay?</legend>
          ${options.map(
            ({ id, name, about }) => html`<label class="way">
              <input type="radio" name="channel" value="${id}" ${id === chosen ? html`checked` : ''} data-testid="channel-${id}" />
              <span><strong>${name}</strong><span class="quiet">${about}</span></span>
            </label>`,
          )}
        </fieldset>
        <div class="fields">
          <label>Your name <input name="name" value="${input.name ?? 'Ann Payer'}" required autocomplete="name" /></label>
          <label
            >Your mobile number
            <input name="mobile" value="${input.mobile ?? '263770000001'}" required inputmode="tel" autocomplete="tel" />
          </label>
        </div>
        <button type="submit" data-testid="order">${item.interval ? 'Join and pay' : 'Order and pay'}</button>
      </form>`,
  );
}

function amountOf({ amount, isOpen, interval }, input) {
  return isOpen
    ? html`<label
        >Value in ${CURRENCY}
        <input name="amount" value="${input.amount ?? amount}" required inputmode="decimal" />
      </label>`
    : html`<p class="price">${money(amount)}${interval ? ' now, and again every month' : ''}</p>`;
}

export function orderPage(order) {
  const { id, item, amount, channel, state } = order;
  const way = channelOf(channel) ?? LINK;
  const main = html`<a class="back" href="/">Back to the shop</a>
    <div class="split">
      <section>
        <h1>${item.name}</h1>
        <dl>
          <dt>Order</dt>
          <dd data-testid="order-id">${id}</dd>
          <dt>Amount</dt>
          <dd>${money(amount)}</dd>
          <dt>Payment method</dt>
          <dd>${way.name}</dd>
        </dl>
        <div class="state ${styleOf(state)}" data-part="state" role="status" data-testid="state">
          <strong>${wordsOf(state)}</strong>
          <p>${explanationOf(order)}</p>
        </div>
        <div data-part="next">${nextOf(order)}</div>
      </section>
      <section>
        <h2>What the shop knows</h2>
        <ol class="story" data-part="story" data-testid="story">
          ${order.story.map(line)}
        </ol>
        <p class="quiet">The shop accepts a notification only if its signature is valid.</p>
      </section>
    </div>`;
  const head = html`<script src="/live.js" defer></script>
    ${state === 'open' && html`<noscript><meta http-equiv="refresh" content="5" /></noscript>`}`;
  return pageOf(`${wordsOf(state)}: ${item.name}`, main, head);
}

/** Instructions for an open order, by channel. */
const WAITING = {
  'qr-wallet': 'Scan the code with your wallet, or open the wallet here.',
  'mobile-money': 'Your phone asks for your PIN: 1234 in the sandbox.',
  link: 'Open the link, or send it to the person who pays.',
  card: 'Pay on the page of the card channel.',
};

function explanationOf({ state, item, channel }) {
  switch (state) {
    case 'open':
      return `${WAITING[channel] ?? WAITING.card} This page updates automatically.`;
    case 'paid':
      return item.interval
        ? 'The first bag is on its way; the next one follows in a month.'
        : 'Thank you. It is on its way.';
    case 'failed':
    case 'cancelled':
    case 'expired':
      return 'You were not charged, and nothing will be sent.';
    default:
      return 'The provider reported a change; see the messages on this page.';
  }
}

/** The next step of the customer. */
function nextOf({ id, item, state, channel, needs, payer }) {
  if (state !== 'open') {
    return item.id !== 'counter' && state !== 'paid' && html`<a class="button" href="/buy/${item.id}">Order again</a>`;
  }
  return html`<div class="next">
    ${payLink(channel, needs ?? {}, payer)}
    <form method="post" action="/orders/${id}/ask">
      <button class="second" type="submit">Check the status</button>
    </form>
  </div>`;
}

/** Pages of the sandbox replace the wallet and the phone in the customer's hand. */
function payLink(channel, { redirectUrl, linkUrl, code, qrCode }, { mobile }) {
  const open = (address, words) =>
    html`<a class="button" href="${address}" target="_blank" data-testid="pay">${words}</a>`;
  if (linkUrl) {
    return html`<a class="button" href="${linkUrl}" data-testid="pay">Open the payment link</a>`;
  }
  if (redirectUrl) {
    return open(redirectUrl, 'Pay by card');
  }
  if (code) {
    return html`<img class="code" src="data:image/png;base64,${qrCode}" alt="QR code of this payment" />
      ${open(`${PAYMENTS_URL}/pay/approve/${code}`, 'Open the wallet')}`;
  }
  return channel === 'mobile-money' && open(`${PAYMENTS_URL}/pay/phone/${mobile}`, 'Open the phone');
}

const SOURCES = { shop: 'Shop', answer: 'Answer', webhook: 'Notified', query: 'Status' };

function line({ at, source, words }) {
  return html`<li class="${source}">
    <time datetime="${at.toISOString()}">${at.toTimeString().slice(0, 8)}</time>
    <span><strong>${SOURCES[source]}</strong> ${words}</span>
  </li>`;
}

export const notFound = () =>
  pageOf('Not found', html`<h1>There is nothing here.</h1><p><a class="button" href="/">Back to the shop</a></p>`);
