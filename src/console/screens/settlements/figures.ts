import { type MinorUnits, toMinorUnits } from '../../../base/money.ts';
import type { SettlementFile, SettlementView } from '../../../base/schema/generated/control.ts';
import { inWords } from '../../../base/text/words.ts';

type FileLine = SettlementFile['lines'][number];

export interface Figures {
  gross: MinorUnits;
  fee: MinorUnits;
  net: MinorUnits;
}

/** Lines of one kind, with their sums. */
export interface LineGroup extends Figures {
  kind: string;
  title: string;
  lines: readonly FileLine[];
}

/** Kinds of lines in the order in which they are shown, with their names. */
const TITLES: Readonly<Record<string, string>> = {
  payment: 'Payments',
  share: 'Shares of split payments',
  refund: 'Refunds',
  reversal: 'Reversals',
  chargeback: 'Chargebacks',
  'chargeback-reversed': 'Reversed chargebacks',
  'late-failure': 'Payments that failed late',
  payout: 'Payouts',
  'payout-failed': 'Failed payout credits',
  'payout-returned': 'Returned payout credits',
  'settlement-returned': 'Returned settlements',
  fee: 'Fees only',
};

/** The members of a line that contain fees, with their labels. */
const FEES = {
  feeMarkUp: 'Mark-up fees',
  feeServiceProvider: 'Service provider fees',
  feeGateway: 'Gateway fees',
  feePayout: 'Payout fees',
  feeChargeback: 'Chargeback fees',
} as const satisfies Partial<Record<keyof FileLine, string>>;

export function sumOf(all: readonly Figures[]): Figures {
  const sum = { gross: 0, fee: 0, net: 0 };
  for (const { gross, fee, net } of all) {
    sum.gross += gross;
    sum.fee += fee;
    sum.net += net;
  }
  return sum;
}

export function groupLines(lines: readonly FileLine[]): LineGroup[] {
  const kinds = new Set([...Object.keys(TITLES), ...lines.map(({ lineType }) => lineType)]);
  return [...kinds].flatMap((kind) => {
    const ofKind = lines.filter(({ lineType }) => lineType === kind);
    return ofKind.length === 0 ? [] : [{ kind, title: TITLES[kind] ?? inWords(kind), lines: ofKind, ...sumOf(ofKind) }];
  });
}

/** One bar of a waterfall chart: a step from one level to the next, or a total, which begins at 0. */
export interface WaterfallBar {
  label: string;
  amount: MinorUnits;
  from: MinorUnits;
  to: MinorUnits;
  isTotal: boolean;
}

export function waterfallOf({ lines, totals }: Pick<SettlementFile, 'lines' | 'totals'>): WaterfallBar[] {
  const groups = groupLines(lines);
  const fees = Object.entries(FEES) as [keyof typeof FEES, string][];
  const bars: WaterfallBar[] = [];
  let level = 0;
  const addStep = (label: string, amount: MinorUnits) => {
    if (amount !== 0) {
      bars.push({ label, amount, from: level, to: level + amount, isTotal: false });
      level += amount;
    }
  };
  const addTotal = (label: string) => bars.push({ label, amount: level, from: 0, to: level, isTotal: true });
  for (const { title, gross } of groups) {
    addStep(title, gross);
  }
  addTotal('Gross');
  for (const [name, label] of fees) {
    addStep(
      label,
      lines.reduce((sum, line) => sum + line[name], 0),
    );
  }
  addTotal('Net');
  addStep('Carried in', totals.carriedIn);
  addStep('Carried out', 0 - totals.carriedOut);
  addStep('Invoiced', 0 - totals.invoiced);
  addTotal('Transferred');
  return bars;
}

/** A settlement in one row: gross + fee = net, and net + carried + invoiced + returned = transferred. */
export interface SettlementRow extends Figures {
  /** Carried in from the previous settlement, less the amount that is carried out to the next. */
  carried: MinorUnits;
  /** The negative balance that was moved to an invoice, as a positive amount. */
  invoiced: MinorUnits;
  /** Negative if the bank returned the transfer; positive if it returned a collected amount. */
  returned: MinorUnits;
  transferred: MinorUnits;
}

/** The row of a settlement; undefined while it is open, because it has no totals yet. */
function tableRowOf({ totals, state }: Pick<SettlementView, 'totals' | 'state'>): SettlementRow | undefined {
  if (totals === null) {
    return undefined;
  }
  const sent = toMinorUnits(totals.transferred);
  const returned = state === 'Returned' ? 0 - sent : 0;
  return {
    gross: toMinorUnits(totals.gross),
    fee: toMinorUnits(totals.fee),
    net: toMinorUnits(totals.net),
    carried: toMinorUnits(totals.carriedIn) - toMinorUnits(totals.carriedOut),
    invoiced: 0 - toMinorUnits(totals.invoiced),
    returned,
    transferred: sent + returned,
  };
}

/** The settlements of one environment and currency. Others cannot be added up. */
export interface SettlementBook {
  environment: SettlementView['environment'];
  currency: string;
  settlements: { settlement: SettlementView; row: SettlementRow | undefined }[];
  total: SettlementRow;
}

export function settlementBooksOf(settlements: readonly SettlementView[]): SettlementBook[] {
  const books = new Map<string, SettlementBook>();
  for (const settlement of settlements) {
    const { environment, currency } = settlement;
    const key = `${environment} ${currency}`;
    const book = books.get(key) ?? { environment, currency, settlements: [], total: ZERO_ROW };
    const row = tableRowOf(settlement);
    books.set(key, {
      ...book,
      settlements: [...book.settlements, { settlement, row }],
      total: row === undefined ? book.total : addRows(book.total, row),
    });
  }
  return [...books.values()];
}

const ZERO_ROW: SettlementRow = { gross: 0, fee: 0, net: 0, carried: 0, invoiced: 0, returned: 0, transferred: 0 };

function addRows(one: SettlementRow, other: SettlementRow): SettlementRow {
  const names = Object.keys(ZERO_ROW) as (keyof SettlementRow)[];
  return Object.fromEntries(names.map((name) => [name, one[name] + other[name]])) as unknown as SettlementRow;
}
