import { PACKAGE_ROOT, readJson } from '../../base/package.ts';
import type { ChannelsFixture } from '../../base/schema/generated/fixtures.ts';
import { printable } from '../../base/text/printable.ts';
import type { SandboxClient } from '../../client/client.ts';
import { joinShort } from '../../client/short.ts';
import type { ShownAdjustment, ShownPayout } from '../../client/shown.ts';
import { type Command, type CommandResult, UsageError } from '../../command/command.ts';
import { tableOf } from '../../command/show.ts';
import { listWords, suggestRecords } from '../../command/suggestion.ts';

export const PAYMENT_COLUMNS = [
  'id',
  'state',
  'channel',
  'amount',
  'currency',
  'merchantId',
  'payerReference',
  'createdAt',
];
export const PAYOUT_COLUMNS = ['id', 'state', 'total', 'currency', 'merchantId', 'payerReference', 'createdAt'];
const CREDIT_COLUMNS = ['credit', 'state', 'amount', 'currency', 'accountNumber', 'accountName', 'code', 'description'];

export const OUTCOMES = ['Paid', 'Failed', 'Cancelled', 'Expired'];
/** Adjustments of a paid payment, by the names of their commands. */
const ADJUSTMENTS = [
  { name: 'refund', kind: 'refund', help: 'refund a paid payment' },
  { name: 'reverse', kind: 'reversal', help: 'reverse a paid payment, including its share of the charges' },
  { name: 'chargeback', kind: 'chargeback', help: 'charge back a paid payment, which costs a fee' },
  { name: 'reverse-chargeback', kind: 'chargeback-reversed', help: 'reverse a chargeback' },
] as const satisfies readonly { name: string; kind: ShownAdjustment['kind']; help: string }[];
const SHARED_REFERENCE =
  'If several payments have the reference, settles the one that is Processing; if several are, name one by its id.';
/** A reference of this form is not searched for, because an id takes precedence. */
const PAYMENT_ID = /^payment-\d+$/;
const CREDIT_OUTCOMES = ['Paid', 'Failed', 'Returned'];

/** Commands that decide payments and payouts, and adjust paid payments. */
export const SETTLE_COMMANDS: readonly Command[] = [
  {
    name: 'settle',
    parameters: ['<payment>', '<outcome>', '[code]'],
    help: 'settle a payment (payment-1, or your payerReference) as Paid, Failed, Cancelled or Expired',
    details: () => `${SHARED_REFERENCE}\n\n${codesOfOutcomes()}`,
    async suggest(client, args) {
      if (args.length > 1) {
        return [];
      }
      return args.length === 0 ? suggestRecords(client, 'payments', { state: 'Processing' }) : listWords(...OUTCOMES);
    },
    async run(client, [payment = '', outcome = '', code]) {
      const { payment: data, note } = await settlePayment(client, payment, outcome, code);
      const { text } = tableOf([data], PAYMENT_COLUMNS);
      return note === undefined ? { data, text } : { data, text: `${text}\n${note}`, note };
    },
  },
  ...ADJUSTMENTS.map(adjustmentCommand),
  {
    name: 'settle-payout',
    parameters: ['<payout>', '<outcome>', '[code]'],
    options: [
      { flags: '--credit <number>', help: 'settle only this credit, counted from 1; a paid credit can be Returned' },
    ],
    help: 'settle the pending credits of a payout (payout-1, or your payerReference) as Paid or Failed',
    async suggest(client, args) {
      if (args.length > 1) {
        return [];
      }
      return args.length === 0 ? suggestRecords(client, 'payouts') : listWords(...CREDIT_OUTCOMES);
    },
    async run(client, [payout = '', word = '', code], { credit }) {
      const outcome = parseOutcome<'Paid'>(word);
      const result =
        credit === undefined
          ? await client.settlePayout(payout, outcome, code)
          : await client.settleCredit(payout, parseCreditNumber(credit), outcome, code);
      return showPayout(result);
    },
  },
];

/** Decides a payment by its id or reference. Throws Error if several of the newest 1000 with that reference are Processing. */
export async function settlePayment(client: SandboxClient, name: string, outcome: string, code?: string) {
  const { items } = PAYMENT_ID.test(name)
    ? { items: [] }
    : await client.payments({ payerReference: name, limit: 1000 });
  const candidates = items.filter(({ payerReference }) => payerReference === name);
  const openIds = candidates.filter(({ state }) => state === 'Processing').map(({ id }) => id);
  const group = `${candidates.length} payments with the reference ${name}`;
  if (openIds.length > 1) {
    throw new Error(`${openIds.length} of ${group} are Processing; name one by its id: ${joinShort(openIds)}`);
  }
  const payment = await client.settle(openIds[0] ?? name, parseOutcome<'Paid'>(outcome), code);
  const choice = openIds.length === 1 ? `the only one of ${group} that was Processing` : `the newest of ${group}`;
  return { payment, note: candidates.length > 1 ? printable(`${payment.id} is ${choice}.`) : undefined };
}

function adjustmentCommand({ name, kind, help }: (typeof ADJUSTMENTS)[number]): Command {
  return {
    name,
    parameters: ['<payment>', '[amount]', '[code]'],
    help: `${help}; without an amount, the remaining amount`,
    details: () => 'The code can be any text that your program should receive, such as 10.4 (default: no code).',
    suggest: (client, args) => (args.length === 0 ? suggestRecords(client, 'payments', { state: 'Paid' }) : []),
    async run(client, [payment = '', amount, code]) {
      const changed = await client.addAdjustment(payment, kind, { amount: addDecimals(amount), code });
      return { ...tableOf([changed], ['id', 'state', 'amount', 'left', 'currency', 'payerReference']), data: changed };
    },
  };
}

/** The codes of each channel in the shipped fixtures. */
function codesOfOutcomes(): string {
  const { channels } = readJson<ChannelsFixture>(`${PACKAGE_ROOT}fixtures/channels.json`);
  const rows = channels.map(({ id, outcomes }) => ({
    channel: id,
    ...Object.fromEntries(Object.entries(outcomes).map(([outcome, { code }]) => [outcome, code])),
  }));
  const table = tableOf(rows, ['channel', ...OUTCOMES]).text.replaceAll(/^/gm, '  ');
  return `The code can be any text that your program should receive. The default depends on the channel:\n${table}`;
}

/** 3 → 3.00; other texts stay as they are. */
export function addDecimals(text: string | undefined): string | undefined {
  return text !== undefined && /^\d+$/.test(text) ? `${text}.00` : text;
}

/** A payout, then each of its credits with its outcome. */
function showPayout(payout: ShownPayout): CommandResult {
  const credits = payout.credits.map((credit, index) => {
    const { code = null, description = null } = credit.history.at(-1) ?? {};
    return { ...credit, credit: index + 1, currency: payout.currency, code, description };
  });
  const tables = [tableOf([payout], PAYOUT_COLUMNS), tableOf(credits, CREDIT_COLUMNS)];
  return { data: payout, text: tables.map(({ text }) => text).join('\n') };
}

function parseCreditNumber(credit: string | boolean): number {
  if (!/^[1-9]\d{0,3}$/.test(String(credit))) {
    throw new UsageError(`--credit takes the number of a credit, such as 1, not ${credit}`);
  }
  return Number(credit);
}

/** Accepts an outcome in upper or lower case. Other words are not checked here, because the sandbox refuses them with the list of outcomes. */
export function parseOutcome<Outcome extends string>(word: string): Outcome {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1).toLowerCase()}` as Outcome;
}
