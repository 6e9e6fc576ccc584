import { textOfRecord } from '../../src/cli/commands/record-text.ts';

it('shows a record line by line, and below it its lists as tables', () => {
  const record = {
    id: 'payment-1',
    amount: '10.00',
    payerMobile: null,
    shares: [],
    fees: { markUp: '0.20', gateway: null },
    history: [
      { at: 'T1', from: null, to: 'Processing', code: null },
      { at: 'T2', from: 'Processing', to: 'Paid', code: null },
    ],
  };
  expect(textOfRecord(record).split('\n')).toEqual([
    'id      payment-1',
    'amount  10.00',
    '',
    'fees',
    '  markUp   0.20',
    '  gateway  -',
    '',
    'history',
    '  at  to          from',
    '  T1  Processing  -',
    '  T2  Paid        Processing',
  ]);
});

it('shows what lies deeper, and lists of texts, as JSON', () => {
  expect(textOfRecord({ id: 'a', totals: { types: { fee: 1 } }, names: ['b'] })).toBe(
    'id  a\n\ntotals\n  {\n    "types": {\n      "fee": 1\n    }\n  }\n\nnames\n  [\n    "b"\n  ]',
  );
});

it('cuts a long text, and writes out what would act in a terminal', () => {
  const text = textOfRecord({
    'na\u001bme': 'a\u001b[31m',
    picture: 'x'.repeat(1000),
    list: [{ 'b\u009b': '\u202e' }],
  });
  expect(text).toContain(`picture     ${'x'.repeat(300)}… (1000 characters; --json shows all)`);
  expect(text).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u);
});
