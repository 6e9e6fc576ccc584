// The code under test: compares a settlement file with the orders of the shop.

/** A paid order: its amount in cents, its currency and its date. */
export type Order = { amount: number; currency: string; date: string };
export type Finding = { kind: string; reference: string };
export type Row = Record<string, string>;

/** Reads a CSV file (RFC 4180); the first row has the names of the columns. */
export function readCsv(text: string): Row[] {
  const rows: string[][] = [[]];
  for (const [, cell = '', end] of text.matchAll(/("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/g)) {
    rows.at(-1)?.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    if (end === '\r\n') {
      rows.push([]);
    }
  }
  const [names = [], ...others] = rows.slice(0, -1);
  return others.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? ''])));
}

/** "7.60" → 760: money is compared in cents, never as a fraction. */
export const cents = (decimal: string | undefined) => Math.round(Number(decimal) * 100);

/** The fee by contract: 4 % and 2.00, rounded half up to the cent. */
const feeOf = (amount: number) => Math.floor((amount * 4 + 50) / 100) + 200;

/** Lists the mistakes in a file. `orders`: paid on its date, by reference. `missingBefore`: references missing in the previous file. */
export function reconcile(orders: Map<string, Order>, rows: Row[], missingBefore: string[] = []): Finding[] {
  const findings: Finding[] = [];
  const seen = new Set<string>();
  for (const line of rows.filter(({ record, lineType }) => record === 'L' && lineType === 'payment')) {
    const reference = line['paymentReference'] ?? '';
    const order = orders.get(reference);
    if (missingBefore.includes(reference)) {
      findings.push({ kind: 'late', reference });
    } else if (order === undefined) {
      findings.push({ kind: 'unknown', reference });
    } else if (seen.has(reference)) {
      findings.push({ kind: 'doubled', reference });
    } else {
      findings.push(...wrongIn(line, order).map((kind) => ({ kind, reference })));
    }
    seen.add(reference);
  }
  const missing = [...orders.keys()].filter((reference) => !seen.has(reference));
  return [...findings, ...missing.map((reference) => ({ kind: 'missing', reference }))];
}

function wrongIn(line: Row, order: Order): string[] {
  const [gross, fee, net] = [cents(line['gross']), cents(line['fee']), cents(line['net'])];
  const isWrong = {
    currency: line['currency'] !== order.currency,
    date: line['businessDate'] !== order.date,
    cent: gross !== order.amount,
    fee: fee !== -feeOf(order.amount),
    net: net !== gross + fee,
  };
  return Object.entries(isWrong).flatMap(([kind, wrong]) => (wrong ? [kind] : []));
}
