// The integration under test: a shop that holds the settlement files that it gets against its own orders.

/** Rows of a CSV file (RFC 4180), each by the names in the file's first row. */
function readCsv(text) {
  const cells = [...text.matchAll(/("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/g)];
  const rows = [[]];
  for (const [, cell, end] of cells) {
    rows.at(-1).push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    if (end === '\r\n') {
      rows.push([]);
    }
  }
  const [names, ...others] = rows.slice(0, -1);
  return others.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]])));
}

/** "7.60" → 760: money is compared in cents, never as a fraction. */
const cents = (decimal) => Math.round(Number(decimal) * 100);

/** What the contract says: 4 % and 2.00, rounded half up to the cent. */
const feeOf = (amount) => Math.floor((amount * 4 + 50) / 100) + 200;

/**
 * What is wrong with a file. `orders` are those that the shop takes as paid on its day, by reference:
 * { amount (in cents), currency, date }. `missingBefore` are references that the file before left out.
 */
function reconcile(orders, rows, missingBefore = []) {
  const findings = [];
  const find = (kind, reference) => findings.push({ kind, reference });
  const seen = new Set();
  const lines = rows.filter(({ record }) => record === 'L');
  for (const line of lines.filter(({ lineType }) => lineType === 'payment')) {
    const reference = line.paymentReference;
    const order = orders.get(reference);
    if (missingBefore.includes(reference)) {
      find('late', reference);
    } else if (!order) {
      find('unknown', reference);
    } else if (seen.has(reference)) {
      find('doubled', reference);
    } else {
      const wrong = [
        ['currency', line.currency !== order.currency],
        ['date', line.businessDate !== order.date],
        ['cent', cents(line.gross) !== order.amount],
        ['fee', cents(line.fee) !== -feeOf(order.amount)],
        ['net', cents(line.net) !== cents(line.gross) + cents(line.fee)],
      ];
      for (const [kind] of wrong.filter(([, isWrong]) => isWrong)) {
        find(kind, reference);
      }
    }
    seen.add(reference);
  }
  for (const reference of orders.keys()) {
    if (!seen.has(reference)) {
      find('missing', reference);
    }
  }
  const sum = lines.reduce((added, { net }) => added + cents(net), 0);
  const total = cents(rows.find(({ record }) => record === 'T').net);
  return { findings, difference: sum - total };
}

module.exports = { readCsv, reconcile };
