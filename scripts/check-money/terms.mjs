// The terms of histories: fees and rules of settlements. Each set of terms is a folder of complete fixture files, so that the model
// reads the same files as the sandbox.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';

const SHIPPED = new URL('../../fixtures/', import.meta.url);
/** The fixtures that the model reads. */
const READ_BY_THE_MODEL = [
  'adjustments',
  'channels',
  'currencies',
  'fees',
  'ledger',
  'merchants',
  'settlement',
  'times',
];

const EURO = {
  id: 2,
  currencyName: 'Euro',
  currencyCode: 'EUR',
  currencySymbol: '€',
  createdAt: '2024-01-01T00:00:00.000Z',
  updatedAt: '2024-01-01T00:00:00.000Z',
};

/** The shipped fees with additional fractions of a cent. */
function oddFees({ fees }) {
  return fees.map((row, at) => ({
    ...row,
    feesMarkUp: Number((1.37 + at * 0.11).toFixed(2)),
    feesServiceProviderFee: 0.13,
    feesGatewayFee: row.channel === 'payout' ? 0 : 0.915,
  }));
}

/** Fees for a merchant or a period, before the general ones. */
function manyFees({ fees }) {
  const [qr, mobile] = fees;
  const change = '2026-06-01T00:00:00.000+02:00';
  const feeRows = [
    { ...qr, id: 21, feesMerchantId: 'M-1000', feesMarkUp: 0.5, feesServiceProviderFee: 0, feesGatewayFee: 0 },
    { ...mobile, feesEndDate: change, feesMarkUp: 0, feesServiceProviderFee: 0.35, feesGatewayFee: 0.01 },
    { ...mobile, id: 23, feesStartDate: change, feesMarkUp: 1.005, feesServiceProviderFee: 0.2, feesGatewayFee: 0.3 },
  ];
  return [...feeRows, ...fees.filter(({ id }) => id !== mobile.id)];
}

/** Ways to handle a negative balance. Each set of terms exists with each of them. */
const NEGATIVE_BALANCES = ['carry', 'collect', 'invoice'];

/** The issuer of invoices, and the tax rate: none, whole, fractional, or one that results in half cents. */
const invoicing = fc.record(
  {
    seller: fc.constantFrom('Payments Ltd', '=cmd "quoted"'),
    vatPercent: fc.oneof(
      fc.constantFrom('0', '15', '12.5', '50', '0.5'),
      fc.nat(9999).map((hundredths) => (hundredths / 100).toFixed(2)),
    ),
  },
  { requiredKeys: [] },
);

/** By name: the changes to the shipped files. */
const TERMS = {
  shipped: {},
  'odd-fees': {
    fees: (file) => ({ ...file, fees: oddFees(file) }),
    adjustments: (file) => ({
      ...file,
      reversal: { ...file.reversal, inPart: true },
      chargeback: { ...file.chargeback, fees: { USD: 7.35 } },
    }),
    settlement: (file) => ({
      ...file,
      zone: 'Europe/Berlin',
      cutOff: '17:00',
      delayDays: 2,
      holidays: ['2026-03-30', '2026-04-06'],
      minimum: '25.00',
      file: { ...file.file, nextLayout: { ...file.file.nextLayout, from: '2026-04-01' } },
    }),
  },
  'payer-bears-fees': {
    fees: (file) => ({ ...file, fees: manyFees(file) }),
    ledger: (file) => ({ ...file, feesBorneBy: 'payer' }),
    settlement: (file) => ({
      ...file,
      weekend: ['Friday'],
      file: { ...file.file, delimiter: ';', decimalMark: ',', byteOrderMark: true, escapeFormulas: true },
    }),
  },
  'initiator-bears-fees': {
    currencies: (file) => ({ ...file, currencies: [...file.currencies, EURO] }),
    fees: (file) => ({ ...file, fees: [...file.fees, ...euroFees(file)] }),
    ledger: (file) => ({ ...file, splitFees: 'initiator' }),
    adjustments: (file) => ({ ...file, reversal: { ...file.reversal, inPart: true } }),
    settlement: (file) => ({ ...file, delayDays: 0, valueTime: '00:00', cutOff: '12:30', zone: '-05:30' }),
  },
  'payouts-off-the-merchant': {
    fees: (file) => ({ ...file, fees: oddFees(file) }),
    ledger: (file) => ({ ...file, payoutDebit: 'merchant' }),
    settlement: (file) => ({
      ...file,
      file: { ...file.file, columns: [...file.file.columns, 'debit', 'credit', 'netMinorUnits', 'direction'] },
    }),
  },
  'funds-enforced': {
    fees: (file) => ({ ...file, fees: manyFees(file) }),
    ledger: (file) => ({ ...file, payoutDebit: 'merchant', payoutFunds: 'enforced' }),
    settlement: (file) => ({ ...file, automatic: false, cutOff: '15:00', minimum: '0.00' }),
  },
};

function euroFees({ fees }) {
  return fees.map((row) => ({
    ...row,
    id: row.id + 30,
    feesCurrencyId: 2,
    feesMarkUp: 1.5,
    feesServiceProviderFee: 0.1,
  }));
}

/** The sets of terms by name, with random invoicing from the seed. */
function termsOf(seed) {
  const invoices = fc.sample(invoicing, { seed, numRuns: Object.keys(TERMS).length * NEGATIVE_BALANCES.length });
  const variants = Object.entries(TERMS).flatMap(([name, changes]) =>
    NEGATIVE_BALANCES.map((negativeBalance) => ({ name: `${name}-${negativeBalance}`, changes, negativeBalance })),
  );
  return variants.map(({ name, changes, negativeBalance }, at) => {
    const settlement = (file) => ({ ...(changes.settlement?.(file) ?? file), negativeBalance, invoice: invoices[at] });
    return [name, { ...changes, settlement }];
  });
}

/** Writes the sets of terms of a seed. Returns by name the folder of changed files (for the sandbox) and of all files (for the model). */
export function writeTerms(folder, seed) {
  /** @type {Record<string, { overlay: string, all: string }>} */
  const written = {};
  for (const [name, changes] of termsOf(seed)) {
    const places = { overlay: join(folder, `${name}-overlay`), all: join(folder, name) };
    Object.values(places).map((place) => mkdirSync(place, { recursive: true }));
    for (const file of READ_BY_THE_MODEL) {
      const { $schema, ...shipped } = JSON.parse(readFileSync(new URL(`${file}.json`, SHIPPED), 'utf8'));
      const changed = changes[file]?.(shipped);
      if (changed !== undefined) {
        writeFileSync(join(places.overlay, `${file}.json`), JSON.stringify(changed, null, 2));
      }
      writeFileSync(join(places.all, `${file}.json`), JSON.stringify(changed ?? shipped, null, 2));
    }
    written[name] = places;
  }
  return written;
}
