import { namesIn } from '../../base/members.ts';
import type { LedgerCheck, LedgerEntryView, SettlementView } from '../../base/schema/generated/control.ts';
import { plural } from '../../base/text/plural.ts';
import { printable } from '../../base/text/printable.ts';
import type { SandboxClient } from '../../client/client.ts';
import { ControlError } from '../../client/control-error.ts';
import { type Command, type CommandResult, type Options, UsageError } from '../../command/command.ts';
import { tableOf } from '../../command/show.ts';
import { listWords, suggestFilters } from '../../command/suggestion.ts';
import { fetchList, listCommand, parseFilters, showList } from './lists.ts';

/** The parts of the ledger, each with the schema of its filters. */
const LEDGER = {
  accounts: 'control/ledger-accounts-query',
  entries: 'control/ledger-entries-query',
  check: null,
} as const;

type Part = keyof typeof LEDGER;
const PARTS = namesIn<Part>(LEDGER);

export const BOOK_COMMANDS: readonly Command[] = [
  listCommand({
    name: 'settlements',
    help: 'list settlements, newest first, or show one with its timeline by its id',
    path: 'settlements',
    query: 'control/settlements-query',
    columns: ['id', 'state', 'merchantId', 'businessDate', 'lines', 'net', 'transferred', 'currency', 'valueDate'],
    rowOf: (item) => rowOfSettlement(item as SettlementView),
    shownMembersOf: (record) => membersOfSettlement(record as SettlementView),
    canShowOne: true,
    hasTimeline: true,
  }),
  listCommand({
    name: 'balances',
    help: 'list what each merchant is owed: pending, available, and on its way to the bank',
    path: 'balances',
    query: 'control/balances-query',
    columns: ['merchantId', 'environment', 'currency', 'pending', 'available', 'inTransit', 'balance'],
    canShowOne: false,
  }),
  {
    name: 'ledger',
    parameters: ['[what]', '[filter...]'],
    help: 'list the accounts or entries of the ledger, or check it',
    details: () => `What: ${PARTS.join(', ')}. Filters as in account=merchant:M-1000, currency=USD, recordId=payment-1`,
    suggest: (_client, [partName], current) => {
      const query = partName === undefined ? null : LEDGER[parsePart(partName)];
      return partName === undefined ? listWords(...PARTS) : query === null ? [] : suggestFilters(query, current);
    },
    async run(client, [partName = 'accounts', ...filters], options) {
      const part = parsePart(partName);
      return part === 'check'
        ? checkLedger(client, filters)
        : listLedger(client, part, parseFilters(filters, LEDGER[part]), options);
    },
  },
];

function parsePart(partName: string): Part {
  const part = PARTS.find((each) => each === partName);
  if (!part) {
    throw new UsageError(`ledger shows ${PARTS.join(', ')}, not ${partName}`);
  }
  return part;
}

async function listLedger(
  client: SandboxClient,
  part: 'accounts' | 'entries',
  filters: Record<string, string>,
  options: Options,
): Promise<CommandResult> {
  const list = await fetchList<object>(client, `ledger/${part}`, filters, options);
  const { items } = list;
  const table =
    part === 'accounts'
      ? tableOf(items, ['environment', 'currency', 'account', 'debits', 'credits', 'balance'])
      : tableOf(
          items.map((item) => rowOfEntry(item as LedgerEntryView)),
          ['move', 'at', 'event', 'recordId', 'postings'],
        );
  return showList(list, table);
}

/** If the books do not balance, the sandbox answers with an error status, but the body is still the result of the check. */
async function checkLedger(client: SandboxClient, filters: readonly string[]): Promise<CommandResult> {
  if (filters.length > 0) {
    throw new UsageError(`ledger check takes no filters; leave out ${filters.join(' ')}`);
  }
  const check = await client.call<LedgerCheck>('GET', '/ledger/check').catch((error) => {
    if (error instanceof ControlError && isCheck(error.problem)) {
      return error.problem;
    }
    throw error;
  });
  const { balanced, records, entries, moves, differences } = check;
  const figures = printable(
    `${plural(entries, 'entry', 'entries')} of ${plural(records, 'record')}, ${plural(moves, 'move')} of money`,
  );
  return balanced
    ? { data: check, text: `The books balance: ${figures}.` }
    : { data: check, text: tableOf(differences, ['subject', 'expected', 'found']).text, isFailure: true };
}

function isCheck(problem: object): problem is LedgerCheck {
  return 'balanced' in problem;
}

function rowOfSettlement({ totals, ...settlement }: SettlementView): object {
  return { ...settlement, lines: totals?.count, net: totals?.net, transferred: totals?.transferred };
}

/** Replaces the totals by a table that adds up: lines by type, then adjustments of the net amount up to the transferred amount. */
function membersOfSettlement(settlement: SettlementView): object {
  const { totals } = settlement;
  if (totals === null) {
    return settlement;
  }
  const { types, count, gross, fee, net, carriedIn, carriedOut, invoiced, transferred } = totals;
  const rows = [
    ...Object.entries(types).map(([type, sums]) => ({ type, ...sums })),
    { type: 'total', count, gross, fee, net },
    ...(carriedIn === ZERO ? [] : [{ type: 'carried in', net: carriedIn }]),
    ...(carriedOut === ZERO ? [] : [{ type: 'carried out', net: negate(carriedOut) }]),
    ...(invoiced === ZERO ? [] : [{ type: 'invoiced', net: negate(invoiced) }]),
    { type: 'transferred', net: transferred },
  ];
  return { ...settlement, totals: rows };
}

const ZERO = '0.00';

function negate(decimal: string): string {
  return decimal.startsWith('-') ? decimal.slice(1) : `-${decimal}`;
}

/** "payers:card 10.00 D, merchant:M-1000 10.00 C USD". */
function rowOfEntry({ postings, currency, ...entry }: LedgerEntryView): object {
  const lines = postings.map(({ account, side, amount }) => `${account} ${amount} ${side === 'debit' ? 'D' : 'C'}`);
  return { ...entry, postings: `${lines.join(', ')} ${currency}` };
}
