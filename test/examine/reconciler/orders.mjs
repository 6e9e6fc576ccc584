// @ts-check
// Orders, in a file to which each change is appended in one write, so that a stored order survives any end of the process.
import { appendFileSync, existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';

/**
 * @typedef {object} OrderInput
 * @property {string} amount decimal text with two places
 * @property {string} currency
 * @property {string} channel
 * @property {{ name: string, mobile: string }} payer
 *
 * @typedef {OrderInput & { id: string, state: string, fulfilments: number, paidAmount: string }} Order
 */

const FILE = process.env['SHOP_DATA'] ?? 'orders.jsonl';

/** @type {Map<string, Order>} */
const orders = new Map();

/** @param {Order} order */
export function saveOrder(order) {
  appendFileSync(FILE, `${JSON.stringify(order)}\n`);
  orders.set(order.id, order);
}

/** @param {string} id */
export const findOrder = (id) => orders.get(id);

export const allOrders = () => [...orders.values()];

export function deleteOrders() {
  writeFileSync(FILE, '');
  orders.clear();
}

/** Reads the last version of each order. A line without its end is dropped, because its write was interrupted. */
function readOrders() {
  const text = existsSync(FILE) ? readFileSync(FILE, 'utf8') : '';
  const complete = text.slice(0, text.lastIndexOf('\n') + 1);
  if (complete.length < text.length) {
    truncateSync(FILE, Buffer.byteLength(complete));
  }
  for (const line of complete.split('\n').filter((each) => each !== '')) {
    /** @type {Order} */
    const order = JSON.parse(line);
    orders.set(order.id, order);
  }
}

readOrders();
