import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { membersOf } from '../../../src/base/members.ts';
import { OPTIONAL_CALLS } from '../../../src/examine/shop/adapter.ts';

/** Writes an adapter of the shop at an address into a folder, as a user would, and returns the path of its file. */
export type WriteAdapter = (folder: string, app: string) => string;

const ADAPTER_CALLS = `
const ask = async (path, body, signal) => {
  const answer = await fetch(app + path, body === undefined ? { signal } : { method: 'POST', body: JSON.stringify(body), signal });
  const text = await answer.text();
  if (!answer.ok) {
    const orderId = path === '/orders' ? JSON.parse(text).order?.id : undefined;
    throw Object.assign(new Error('the shop answered ' + answer.status), orderId === undefined ? {} : { orderId });
  }
  return text === '' ? undefined : JSON.parse(text);
};
const at = (orderId) => '/orders/' + encodeURIComponent(orderId);
const adapterCalls = {
  placeOrder: async ({ signal, ...order }) => ({ orderId: (await ask('/orders', order, signal)).order.id }),
  orderState: async (orderId) => {
    const found = await ask(at(orderId)).catch((error) => {
      if (error.message.endsWith('404')) {
        return null;
      }
      throw error;
    });
    if (found === null) {
      return null;
    }
    const { order } = found;
    return { state: order.status, fulfilments: order.shipments.length, paidAmount: order.paid };
  },
  reconcile: () => ask('/jobs/reconcile', {}),
  reset: () => ask('/reset', {}),
  refund: (orderId) => ask(at(orderId) + '/refund', {}),
  cancel: (orderId) => ask(at(orderId) + '/cancel', {}),
  backdate: (orderId, { minutes }) => ask(at(orderId) + '/backdate', { minutes }),
  returnFromPayment: async (orderId, { url }) => {
    await ask(at(orderId) + '/return');
    return { url: url ?? app + at(orderId) + '/return' };
  },
  payAgain: (orderId, { channel }) => ask(at(orderId) + '/pay', { channel }),
  payOut: ({ amount, payer }) => ask('/payouts', { amount, to: payer.name }),
  subscribe: ({ amount, payer }) => ask('/subscriptions', { amount, of: payer.name }),
};
`;

const write = (folder: string, name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

const moduleText = (app: string) => `
export const app = process.env.EXAMINE_APP ?? ${JSON.stringify(app)};
export const webhookUrl = '/webhook', patience = '30s', reopens = true;
${ADAPTER_CALLS}
export const { placeOrder, orderState, reconcile, reset, refund, cancel, backdate, returnFromPayment, payAgain, payOut, subscribe } = adapterCalls;
export const restart = async (again) => { await ask('/restart', {}); await again?.(); };
`;

const commonJsText = (app: string) => `
const app = process.env.EXAMINE_APP ?? ${JSON.stringify(app)};
${ADAPTER_CALLS}
module.exports = { app, webhookUrl: '/webhook', patience: 'PT30S', reopens: true, ...adapterCalls, restart: (again) => ask('/restart', {}).then(() => again?.()) };
`;

const programText = (app: string) => `
import { createInterface } from 'node:readline';
const app = process.env.EXAMINE_APP ?? ${JSON.stringify(app)};
${ADAPTER_CALLS}
adapterCalls.restart = () => ask('/restart', {});
for await (const line of createInterface({ input: process.stdin })) {
  const { id, call, order, orderId, ...more } = JSON.parse(line);
  adapterCalls[call](order ?? orderId, more).then(
    (result = null) => console.log(JSON.stringify({ id, result })),
    (error) => console.log(JSON.stringify({ id, error: error.message, orderId: error.orderId })),
  );
}
`;

export const TEMPLATES = {
  webhookUrl: '/webhook',
  patience: '0.5m',
  reopens: true,
  placeOrder: {
    url: '/orders',
    body: {
      amount: '{{amount}}',
      currency: '{{currency}}',
      channel: '{{channel}}',
      payer: { name: '{{payer.name}}', mobile: '{{payer.mobile}}' },
    },
    answer: { orderId: 'order.id' },
  },
  orderState: {
    url: '/orders/{{orderId}}',
    answer: { state: 'order.status', fulfilments: 'order.shipments', paidAmount: 'order.paid' },
  },
  reconcile: { url: '/jobs/reconcile' },
  reset: { url: '/reset' },
  refund: { url: '/orders/{{orderId}}/refund' },
  cancel: { url: '/orders/{{orderId}}/cancel' },
  backdate: { url: '/orders/{{orderId}}/backdate', body: { minutes: '{{minutes}}' } },
  returnFromPayment: { url: '/orders/{{orderId}}/return' },
  payAgain: { url: '/orders/{{orderId}}/pay', body: { channel: '{{channel}}' } },
  payOut: { url: '/payouts', body: { amount: '{{amount}}', to: '{{payer.name}}' } },
  subscribe: { url: '/subscriptions', body: { amount: '{{amount}}', of: '{{payer.name}}' } },
  restart: { url: '/restart' },
};

/** HTTP templates with changed members; undefined members are omitted. */
export function writeTemplates(folder: string, app: string | undefined, changes: object = {}): string {
  return write(folder, 'examine.json', JSON.stringify({ app, ...TEMPLATES, ...changes }));
}

export function writeProgram(folder: string, text: string, changes: object = {}): string {
  write(folder, 'program.mjs', text);
  const program = `"${process.execPath}" program.mjs`;
  return write(folder, 'program.json', JSON.stringify({ program, ...membersOf(changes) }));
}

export const writeModule = (folder: string, text: string) => write(folder, 'examine.mjs', text);

export const FORMS: [form: string, write: WriteAdapter][] = [
  ['a module', (folder, app) => writeModule(folder, moduleText(app))],
  ['a CommonJS module', (folder, app) => write(folder, 'examine.cjs', commonJsText(app))],
  ['an HTTP adapter', (folder, app) => writeTemplates(folder, app)],
  [
    'a program',
    (folder, app) =>
      writeProgram(folder, programText(app), {
        app,
        webhookUrl: '/webhook',
        patience: '30',
        reopens: true,
        calls: [...OPTIONAL_CALLS],
      }),
  ],
];
