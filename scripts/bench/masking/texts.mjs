// Texts of each kind that is masked, generated from a seed, so that every run masks the same texts.

/** A generator of whole numbers below a limit (mulberry32). */
function numbersFrom(seed) {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

const WORDS =
  'the payment of a merchant was paid by mobile money and is reported with its status, reference and reason after a while'.split(
    ' ',
  );
const PUNCTUATION = [...'"\'\\{}[]<>&;=:, %+?/-_.#@!|()\n\tab1'];
const BASE64 = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'];

const pick = (next, items) => items[next(items.length)];
const randomText = (next, characters, length) => Array.from({ length }, () => pick(next, characters)).join('');
const sentence = (next) => Array.from({ length: 6 + next(12) }, () => pick(next, WORDS)).join(' ');
const digits = (next, length) => randomText(next, [...'0123456789'], length);
const amount = (next) => `${next(10_000)}.${digits(next, 2)}`;
const time = (next) => `2026-0${1 + next(9)}-1${next(10)}T0${next(10)}:${10 + next(50)}:${10 + next(50)}.000Z`;

const payment = (next) => ({
  id: next(1_000_000),
  transactionReference: `TR-${digits(next, 12)}`,
  payerReference: `ORDER-${next(100_000)}`,
  amount: amount(next),
  currency: 'USD',
  status: pick(next, ['Paid', 'Processing', 'Failed']),
  createdAt: time(next),
  description: sentence(next),
  payer: { name: 'A Payer', mobile: `26377${digits(next, 7)}`, isActive: next(2) === 1 },
  items: [{ name: 'line', value: next(100), path: '/pay/x' }],
});
const secretPayment = (next) => ({
  ...payment(next),
  merchantApiKey: randomText(next, BASE64, 24),
  payer: { pin: digits(next, 4), cardNumber: '4111 1111 1111 1111' },
  answer: `Bearer ${randomText(next, BASE64, 32)}`,
});
const form = (next) =>
  `reference=ORDER-${next(1e6)}&amount=${amount(next)}&currency=USD&note=${encodeURIComponent(sentence(next))}&`;
const xml = (next) =>
  `<payment id="${next(1e6)}" status="Paid"><amount ccy="USD">${amount(next)}</amount><note>${sentence(next)}</note>` +
  `<at>${time(next)}</at></payment>\n`;
const entry = (next) =>
  `<Ntry><Amt Ccy="USD">${amount(next)}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-03-1${next(10)}` +
  `</Dt></BookgDt><AcctSvcrRef>${digits(next, 12)}</AcctSvcrRef><NtryDtls><TxDtls><RmtInf><Ustrd>Settlement ${next(1000)}` +
  '</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>\n';
const html = (next) =>
  `<div class="row" data-id="${next(1000)}"><a href="https://shop.test/orders/${next(1e6)}?page=${next(9)}&amp;sort=asc">` +
  `${sentence(next)}</a><input type="text" name="amount" value="${amount(next)}"><br></div>\n`;
const log = (next) =>
  `${time(next)} INFO 10.0.${next(255)}.${next(255)} GET https://api.test/v1/payments/${next(1e6)}?status=Paid&limit=${next(100)} ` +
  `200 ${next(100)}ms agent="curl/8.${next(9)}"\n`;
const part = (next) =>
  `--boundary\r\nContent-Disposition: form-data; name="note${next(10)}"\r\nContent-Type: text/plain\r\n\r\n${sentence(next)}\r\n`;
const json = (value) => JSON.stringify(value);

/** Each contains the next one; the last is a payment. */
const nested = (next) => json({ body: json({ answer: json(payment(next)) }) });

/** For each kind: a piece of text, the text before the first piece, and the text between two pieces. */
const KINDS = {
  JSON: { piece: (next) => json(payment(next)), before: '[', between: ',' },
  'JSON with secrets': { piece: (next) => json(secretPayment(next)), before: '[', between: ',' },
  'JSON, indented': { piece: (next) => JSON.stringify(payment(next), undefined, 2), before: '[', between: ',\n' },
  'JSON with escapes': {
    piece: (next) => json({ note: `"${sentence(next)}"\n\t${sentence(next)}\\` }).replaceAll('a', '\\u0061'),
    before: '[',
    between: ',',
  },
  'JSON in JSON in JSON': { piece: nested, before: '[', between: ',' },
  'JSON in JSON with secrets': {
    piece: (next) => json({ body: json(secretPayment(next)) }),
    before: '[',
    between: ',',
  },
  'JSON in a query': { piece: (next) => `q=${encodeURIComponent(json(payment(next)))}&` },
  form: { piece: form },
  'form with pluses': { piece: () => 'a+b=c+d&' },
  'form of pluses and words': { piece: (next) => String(new URLSearchParams({ note: sentence(next) })), between: '&' },
  'form encoded twice': { piece: (next) => `u=${encodeURIComponent(encodeURIComponent(form(next)))}&` },
  'form of PINs': { piece: () => 'pin=1234&' },
  multipart: { piece: part },
  XML: { piece: xml },
  'XML in CDATA': { piece: (next) => `<r><![CDATA[${xml(next)}]]></r>` },
  'XML, escaped': { piece: (next) => xml(next).replaceAll('<', '&lt;').replaceAll('>', '&gt;') },
  'XML of tokens': { piece: (next) => `<token>${randomText(next, BASE64, 20)}</token>` },
  'camt.053': { piece: entry },
  MT940: {
    piece: (next) =>
      `:61:260310${digits(next, 4)}C${next(1000)},00NTRF${digits(next, 12)}\r\n:86:Settlement ${sentence(next)}\r\n`,
  },
  HTML: { piece: html },
  CSV: { piece: (next) => `${time(next)};ORDER-${next(1e6)};${amount(next)};USD;${sentence(next)}\n` },
  'log with addresses': { piece: log },
  YAML: { piece: (next) => `- id: ${next(1000)}\n  amount: ${amount(next)}\n  note: ${sentence(next)}\n` },
  sentences: { piece: sentence, between: '. ' },
  'sentences in Cyrillic': { piece: () => 'Платёж получен: сумма и номер заказа = верны. ' },
  base64: { piece: (next) => randomText(next, BASE64, 1024) },
  'card numbers': { piece: () => '4111 1111 1111 1111 ' },
  'digits and blanks': { piece: (next) => `${digits(next, 4)} ` },
  'long runs of digits': { piece: (next) => `${digits(next, 200)}\n` },
  'random punctuation': { piece: (next) => randomText(next, PUNCTUATION, 1024) },
  'bearer tokens': { piece: (next) => `Authorization: Bearer ${randomText(next, BASE64, 40)}\n` },
};

export const KIND_NAMES = Object.keys(KINDS);

/** A text of a kind, with about `length` characters. */
export function textOf(kind, length) {
  const { piece, before = '', between = '' } = KINDS[kind];
  const next = numbersFrom(1);
  const pieces = [];
  let written = before.length;
  for (let count = 0; written < length; count += 1) {
    // Later pieces repeat the first ones, because making random texts takes longer than masking them.
    const text = count < 500 ? piece(next) : pieces[count % 500];
    pieces.push(text);
    written += text.length + between.length;
  }
  return before + pieces.join(between);
}
