// The data that is read from a session after its history, by the names that the model uses.
// A new check needs its source here and a file in test/model/checks.
const list = (path) => ({ path: `/_sandbox/${path}?limit=1000&order=oldest`, format: 'list' });
const invoice = (format) => ({
  path: ({ month, ...of }) => `/_sandbox/invoices/${month}?${new URLSearchParams({ ...of, format })}`,
  format,
});
const settlement = (rest, format) => ({ path: (id) => `/_sandbox/settlements/${id}/${rest}`, format });

export const SOURCES = {
  session: {
    payments: list('payments'),
    payouts: list('payouts'),
    settlements: list('settlements'),
    entries: list('ledger/entries'),
    balances: { path: '/_sandbox/balances?limit=1000', format: 'list' },
    balanceDays: { path: '/_sandbox/balances/days?limit=1000', format: 'list' },
    accounts: { path: '/_sandbox/ledger/accounts?limit=1000', format: 'list' },
    clock: { path: '/_sandbox/clock', format: 'json' },
    ledgerCheck: { path: '/_sandbox/ledger/check', format: 'json' },
  },
  settlement: {
    shown: settlement('file', 'json'),
    booked: settlement('file?as=booked', 'json'),
    shownCsv: settlement('file?format=csv', 'text'),
    bookedCsv: settlement('file?format=csv&as=booked', 'text'),
    answerKey: settlement('answer-key', 'json'),
    firstShown: settlement('file?version=1', 'json'),
    firstKey: settlement('answer-key?version=1', 'json'),
    statement: settlement('statement', 'json'),
    bookedStatement: settlement('statement?as=booked', 'json'),
    camt053: settlement('statement?format=camt.053', 'text'),
    mt940: settlement('statement?format=mt940', 'text'),
  },
  invoice: { json: invoice('json'), csv: invoice('csv') },
};
