// Faulty shops, each made from a correct one by replacing texts in its source, with one well-known bug each.

/**
 * @typedef {object} Mutant
 * @property {string} name its fault
 * @property {string} killedBy the invariant that is meant for it
 * @property {string[]} [findings] the expected findings about its integration; default: none
 * @property {[string, string][]} patches texts in the shop's source, each with its replacement
 */

/** Removes the reconciliation job, which would otherwise repair the effect of a lost notification. */
const NO_RECONCILE = /** @type {[string, string]} */ ([
  'async function reconcile() {',
  'async function reconcile() {\n  return;',
]);

/** @type {Mutant[]} */
export const MUTANTS = [
  {
    name: 'fulfils when the payment is initiated',
    killedBy: 'I1',
    findings: ['SBX-W17'],
    patches: [
      [
        'if (answer?.status === 200) {',
        "if (answer?.status === 200) {\n      applyStatus(order, { status: 'Paid', paymentAmount: amount, paymentCurrency: currency });",
      ],
    ],
  },
  {
    name: 'fulfils after a notification with any status',
    killedBy: 'I1',
    patches: [["if (status === 'Paid') {", "if (status !== 'Processing') {"]],
  },
  {
    name: 'treats Processing as paid',
    killedBy: 'I1',
    patches: [
      ["if (status === 'Paid') {", "if (status === 'Paid' || status === 'Processing') {"],
      ['if (payment !== undefined) {', 'if (payment !== undefined) {\n      if (payment) applyStatus(order, payment);'],
    ],
  },
  {
    name: 'does not verify signatures',
    killedBy: 'I7',
    patches: [['if (!isVerified(headers, body)) {', 'if (false) {']],
  },
  {
    name: 'verifies a signature only if there is one',
    killedBy: 'I7',
    patches: [
      ['if (!isVerified(headers, body)) {', "if (headers['webhook-signature'] && !isVerified(headers, body)) {"],
    ],
  },
  {
    name: 'accepts old timestamps',
    killedBy: 'I7',
    patches: [['Math.abs(Date.now() / 1000 - Number(timestamp)) < MAX_AGE_SECONDS', 'true']],
  },
  {
    name: 'does not compare the amount',
    killedBy: 'I7',
    patches: [['Number(paymentAmount) === Number(order.amount) && paymentCurrency === order.currency', 'true']],
  },
  {
    name: 'applies a notification with an unknown reference to its last order',
    killedBy: 'I7',
    patches: [
      [
        'orders.get(notification.paymentReference);',
        'orders.get(notification.paymentReference) ?? [...orders.values()].at(-1);',
      ],
    ],
  },
  {
    name: 'fulfils again with each notification',
    killedBy: 'I2',
    patches: [
      ['if (isExpectedAmount && order.fulfilments === 0) {', 'if (isExpectedAmount) {'],
      ['fulfilments: 1, paidAmount', 'fulfilments: order.fulfilments + 1, paidAmount'],
    ],
  },
  {
    name: 'checks and fulfils without a lock',
    killedBy: 'I2',
    patches: [
      [
        'const isOpen = order.state',
        'const { fulfilments } = order;\n  await new Promise((resolve) => setTimeout(resolve, 30));\n  const isOpen = order.state',
      ],
      [
        'if (isExpectedAmount && order.fulfilments === 0) {',
        'if (isExpectedAmount && (notification?.fulfilments ?? 0) === 0) {',
      ],
      ['function applyStatus(order, {', 'function applyStatus(order, notification, wasPaid = false) {\n  const {'],
      [
        'status, paymentAmount, paymentCurrency }, wasPaid = false) {',
        'status, paymentAmount, paymentCurrency } = notification;',
      ],
      ['fulfilments: 1, paidAmount', 'fulfilments: order.fulfilments + 1, paidAmount'],
      ['applyStatus(order, payment, wasPaid);', 'applyStatus(order, { ...payment, fulfilments }, wasPaid);'],
    ],
  },
  {
    name: 'retries after a timeout without a status query',
    killedBy: 'I10',
    findings: ['SBX-W08'],
    patches: [['const payment = await queryStatus(order).catch(() => null);', 'const payment = undefined;']],
  },
  {
    name: 'retries after a timeout with a new reference',
    killedBy: 'I10',
    findings: ['SBX-W09', 'SBX-W17'],
    patches: [
      ['const payment = await queryStatus(order).catch(() => null);', 'const payment = undefined;'],
      ['payerReference: id,', "payerReference: id + (order.tries = (order.tries ?? '') + 'x').slice(1),"],
      [
        'function pay({ id, amount, currency, channel, payer }) {',
        'function pay(order) {\n  const { id, amount, currency, channel, payer } = order;',
      ],
    ],
  },
  {
    name: 'treats a Processing payment as missing, and pays again',
    killedBy: 'I3',
    findings: ['SBX-W07'],
    patches: [['if (payment !== undefined) {', "if (payment !== undefined && payment?.status !== 'Processing') {"]],
  },
  {
    name: 'has no reconciliation job',
    killedBy: 'I4',
    findings: ['SBX-W17'],
    patches: [NO_RECONCILE],
  },
  {
    name: 'stores an order only after the call, and acknowledges unknown references',
    killedBy: 'I9',
    findings: ['SBX-W17'],
    patches: [
      NO_RECONCILE,
      ['orders.set(id, order);\n', ''],
      ['return id;', 'orders.set(id, order);\n  return id;'],
      ['return 404;', 'return 204;'],
    ],
  },
  {
    name: 'applies notifications in the order of arrival',
    killedBy: 'I6',
    patches: [
      ['const payment = isOpen ? notification : await queryStatus(order);', 'const payment = notification;'],
      ['if (order.fulfilments === 0 || wasPaid) {', 'if (true) {'],
    ],
  },
  {
    name: 'ignores failures',
    killedBy: 'I11',
    patches: [
      ["['Failed', 'Cancelled', 'Expired']", "['Cancelled', 'Expired']"],
      ["status !== 'Processing'", "!['Processing', 'Failed'].includes(status)"],
    ],
  },
  {
    name: 'ignores cancellations',
    killedBy: 'I11',
    patches: [
      ["['Failed', 'Cancelled', 'Expired']", "['Failed', 'Expired']"],
      ["status !== 'Processing'", "!['Processing', 'Cancelled'].includes(status)"],
    ],
  },
  {
    name: 'ignores expiries',
    killedBy: 'I11',
    patches: [
      ["['Failed', 'Cancelled', 'Expired']", "['Failed', 'Cancelled']"],
      ["status !== 'Processing'", "!['Processing', 'Expired'].includes(status)"],
    ],
  },
  {
    name: 'ignores a payment of a failed or expired order',
    killedBy: 'I12',
    patches: [
      [
        "if (status === 'Paid') {\n",
        "if (status === 'Paid' && ['failed', 'expired'].includes(order.state)) {\n    return;\n  }\n  if (status === 'Paid') {\n",
      ],
    ],
  },
  {
    name: 'ignores refunds and reversals',
    killedBy: 'I8',
    patches: [["} else if (status !== 'Processing') {", "} else if (status === 'ChargedBack') {"]],
  },
  {
    name: 'ignores chargebacks',
    killedBy: 'I8',
    patches: [
      ["} else if (status !== 'Processing') {", "} else if (!/charge/i.test(status) && status !== 'Processing') {"],
    ],
  },
  {
    name: 'initiates payments with rounded amounts',
    killedBy: 'I5',
    patches: [
      ['    amount,\n    paymentCurrency', "    amount: String(Math.floor(amount)) + '.00',\n    paymentCurrency"],
      ['Number(paymentAmount) === Number(order.amount) && paymentCurrency === order.currency', 'true'],
    ],
  },
  {
    name: 'reports a wrong paid amount',
    killedBy: 'I5',
    patches: [['paidAmount: order.amount', 'paidAmount: (Number(order.amount) * 0.97).toFixed(2)']],
  },
  {
    name: 'abandons an order after a timeout, even if it is paid',
    killedBy: 'I4',
    patches: [
      [
        'const payment = await queryStatus(order).catch(() => null);',
        "order.state = 'given up';\n    const payment = null;",
      ],
      [
        "if (status === 'Paid') {\n",
        "if (order.state === 'given up') {\n    return;\n  }\n  if (status === 'Paid') {\n",
      ],
    ],
  },
];

/**
 * Applies a mutant to the source of a correct shop. Throws if the source has changed since the mutant was written.
 * @param {Mutant} mutant
 * @param {string} source
 */
export function applyMutant({ name, patches }, source) {
  return patches.reduce((text, [from, to]) => {
    if (!text.includes(from)) {
      throw new Error(`the shop no longer contains the text that "${name}" replaces: ${from}`);
    }
    return text.replace(from, () => to);
  }, source);
}
