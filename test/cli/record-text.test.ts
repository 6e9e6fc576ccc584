import { qrImage } from '../../src/base/qr-image.ts';
import { textOfRecord } from '../../src/cli/commands/record-text.ts';

it('a record is shown line by line, and its lists as tables below', () => {
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

it('nested values and lists of texts are shown as JSON', () => {
  expect(textOfRecord({ id: 'a', totals: { types: { fee: 1 } }, names: ['b'] })).toBe(
    'id  a\n\ntotals\n  {\n    "types": {\n      "fee": 1\n    }\n  }\n\nnames\n  [\n    "b"\n  ]',
  );
});

it('a long text is cut, and control characters are escaped', () => {
  const text = textOfRecord({
    'na\u001bme': 'a\u001b[31m',
    picture: 'x'.repeat(1000),
    list: [{ 'b\u009b': '\u202e' }],
  });
  expect(text).toContain(`picture     ${'x'.repeat(300)}… (1000 characters; --json shows all)`);
  expect(text).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u);
});

it('an image is described by its kind and size', () => {
  expect(textOfRecord({ paymentQrCode: qrImage('text') })).toBe(
    `paymentQrCode  PNG image, 300 × 300 pixels (${qrImage('text').length} characters of base64)`,
  );
  expect(textOfRecord({ paymentQrCode: 'iVBORw0KGgo=' })).toBe('paymentQrCode  iVBORw0KGgo=');
  expect(textOfRecord({ broken: `iVBORw0KGgo${'!'.repeat(300)}` })).toContain('characters; --json shows all');
});
