import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import { REFUSAL_KINDS } from '../../../src/base/refusal-kinds.ts';
import { loadSchema } from '../../../src/base/schema/load-schema.ts';
import { validate } from '../../../src/base/schema/validation.ts';
import { FixtureError, loadFixtures } from '../../../src/server/config/fixtures.ts';
import { OPERATIONS } from '../../../src/server/merchant-api/operations.ts';
import { startSandbox } from '../../../src/start-sandbox.ts';
import { exampleOf } from '../../interface/examples.ts';
import { temporaryFolders } from '../../temporary-folder.ts';

const REASON = { code: '99', description: 'No' };
const REASONS = { amount: REASON, count: REASON, balance: REASON };

const newFolder = temporaryFolders();

function userFolder(files: Record<string, unknown>): string {
  const folder = newFolder();
  mkdirSync(join(folder, 'scenarios'));
  for (const [name, value] of Object.entries(files)) {
    writeFileSync(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value));
  }
  return folder;
}

const jsonFilesIn = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.json'));

it.each(jsonFilesIn('fixtures'))('fixtures/%s fits the schema that it names', async (name) => {
  const fixture = JSON.parse(readFileSync(join('fixtures', name), 'utf8'));
  expect(fixture.$schema).toBe(`../schemas/fixtures/${name}`);
  expect(await validate(`fixtures/${name.replace('.json', '')}`, fixture)).toEqual([]);
});

it.each(jsonFilesIn('fixtures/scenarios'))(
  'the scenario %s fits its schema and has the name of its file',
  async (name) => {
    const scenario = JSON.parse(readFileSync(join('fixtures/scenarios', name), 'utf8'));
    expect(scenario.$schema).toBe('../../schemas/fixtures/scenario.json');
    expect(`${scenario.name}.json`).toBe(name);
    expect(await validate('fixtures/scenario', scenario)).toEqual([]);
  },
);

it('the fixture of errors has the built-in status of every kind of refusal', async () => {
  const builtIn = Object.entries(REFUSAL_KINDS).map(([kind, { status }]) => [kind, status]);
  expect((await loadFixtures()).errors.statuses).toEqual(Object.fromEntries(builtIn));
});

it('the fixture of fees has one row for every channel and one for payouts', async () => {
  const fixtures = await loadFixtures();
  const rows = fixtures.fees.fees.map(({ channel }) => channel);
  expect(rows).toEqual([...fixtures.channels.channels.map(({ id }) => id), 'payout']);
});

it("a sandbox serves the wallet name, path and error body from a user's folder", async () => {
  const fixtures = userFolder({
    'channels.json': { channels: [{ id: 'qr-wallet', names: ['Real Name'] }] },
    'operations.json': { operations: { initiatePayment: { aliases: [{ environment: 'sandbox', path: '/v2/pay' }] } } },
    'errors.json': {
      statuses: { 'business-rule': 409 },
      envelopes: { payment: { why: '{{message}}', code: '{{status}}' } },
    },
  });
  const sandbox = await startSandbox({ fixtures });
  const body = exampleOf('requests/single-payment', { walletName: 'Real Name' });
  const answer = await request(sandbox.url).post('/v2/pay').send(body);
  const refused = await request(sandbox.url)
    .post('/v2/pay')
    .send({ ...body, profileId: 9 });
  await sandbox.close();
  expect(answer.status).toBe(200);
  expect([refused.status, JSON.parse(refused.text)]).toMatchObject([
    409,
    { why: expect.stringContaining('a profile of merchant M-1000'), code: 409 },
  ]);
});

it('one entry and its fees add a channel', async () => {
  const { channels, fees } = await loadFixtures();
  const fixtures = userFolder({
    'channels.json': { channels: [{ ...channels.channels[4], id: 'card-network-c', names: ['WALLET_CARD_C'] }] },
    'fees.json': { fees: [{ ...fees.fees[4], channel: 'card-network-c', id: 7 }] },
  });
  const sandbox = await startSandbox({ fixtures });
  const answer = await request(sandbox.url)
    .post('/init/authenticate/merchant/wallet')
    .send(exampleOf('requests/single-payment', { walletName: 'WALLET_CARD_C' }));
  await sandbox.close();
  expect(JSON.parse(answer.text).paymentInitiationResponse.status).toBe('Success');
});

const [FEES] = JSON.parse(readFileSync('fixtures/fees.json', 'utf8')).fees;
const [CURRENCY] = JSON.parse(readFileSync('fixtures/currencies.json', 'utf8')).currencies;
const channel = (members: object) => ({ 'channels.json': { channels: [{ id: 'qr-wallet', ...members }] } });
const scenario = (rule: object) => ({ 'scenarios/odd.json': { name: 'odd', description: '', rules: [rule] } });
const alias = (operation: string, path: string) => ({
  'operations.json': { operations: { [operation]: { aliases: [{ environment: 'sandbox', path }] } } },
});

it.each<[string, Record<string, unknown>, string[]]>([
  [
    'whose scenario has the id of a shipped scenario with another name',
    { 'scenarios/mine.json': { name: 'mine', id: 'SBX-S02', description: '', rules: [] } },
    ['$.id: expected none, because only shipped scenarios and behaviours have ids, received "SBX-S02"'],
  ],
  ['that is not JSON', { 'fees.json': '{' }, ['fees.json: is not JSON']],
  [
    'whose payouts name codes without a reason or have an invalid pattern',
    {
      'payouts.json': {
        codes: { Failed: { X1: 'Ours' } },
        checks: { bankKnown: { code: 'X2' }, accountNumber: { pattern: '[', code: 'X1' } },
        accounts: { 1: { outcome: 'Returned', code: 'X1' } },
      },
    },
    [
      'payouts.json: $.checks.bankKnown.code: expected one of AC03,',
      '$.checks.accountNumber.pattern: expected a regular expression',
      'one of AC04, AC06,',
    ],
  ],
  [
    'whose currency does not have two decimals',
    {
      'currencies.json': {
        currencies: [
          { id: 2, currencyCode: 'JPY' },
          { id: 3, currencyCode: 'BHD' },
        ].map((members) => ({ ...CURRENCY, ...members })),
      },
    },
    [
      'currencies.json: $.currencies[0].currencyCode: expected a currency with two decimals',
      '"JPY", which has 0',
      '$.currencies[1].currencyCode',
      '"BHD", which has 3',
    ],
  ],
  [
    'whose amounts or fees are too large to be added exactly',
    {
      'fees.json': {
        fees: [
          { id: 1, feesMaxAmount: 900_719_925.47 },
          { id: 2, feesMaxAmount: 500_000_000, feesMarkUp: 90 },
          { id: 3, feesServiceProviderFee: 1e15 },
        ],
      },
      'adjustments.json': { chargeback: { fees: { USD: 900_719_925.48 } } },
    },
    [
      'fees.json: $.fees[0].feesMaxAmount: expected at most 900719925.47 with its fees, so that the sum of 100,000 such amounts is right to the cent, received 900719925.47, 936748724.49 with its fees',
      '$.fees[1].feesMaxAmount',
      '$.fees[2].feesMaxAmount',
      'adjustments.json: $.chargeback.fees.USD: expected at most 900719925.47, so that the sum of 100,000 such amounts is right to the cent, received 900719925.48',
    ],
  ],
  [
    'whose fee percentages are more than 100 together',
    {
      'fees.json': {
        fees: [
          { id: 1, feesMarkUp: 170 },
          { id: 2, feesMarkUp: 1.7, feesGatewayFee: 98.4, feesServiceProviderFee: 0 },
          { id: 3, feesMarkUp: 1.7, feesGatewayFee: 98.3, feesServiceProviderFee: 5000 },
        ],
      },
    },
    [
      'fees.json: $.fees[0].feesMarkUp: expected at most 100 percent together with feesGatewayFee, received 170, 172 together (line ',
      '$.fees[1].feesGatewayFee: expected at most 100 percent together with feesMarkUp, received 98.4, 100.1 together',
    ],
  ],
  [
    'whose limits are in fractions of a cent',
    {
      'fees.json': {
        fees: [
          { id: 1, feesMinAmount: 0.001 },
          { id: 2, feesMaxAmount: 9.999 },
        ],
      },
    },
    ['$.fees[0].feesMinAmount', '$.fees[1].feesMaxAmount'],
  ],
  [
    'with two rows of fees for the same channel, currency, merchant and start',
    {
      'fees.json': {
        fees: [
          { ...FEES, id: 31, feesMarkUp: 3 },
          { ...FEES, id: 32, feesMerchantId: 'M-1000' },
          { ...FEES, id: 33, feesMerchantId: 'M-1000', feesMinAmount: 50 },
        ],
      },
    },
    [
      'fees.json: $.fees[0].feesStartDate: expected a start other than that of the row with id 1, which has the same channel, currency and merchant, received 1970-01-01T02:00:00.000+02:00',
      '$.fees[2].feesStartDate: expected a start other than that of the row with id 32',
    ],
  ],
  [
    'with fees that can never apply',
    {
      'fees.json': {
        fees: [
          { id: 1, feesMinAmount: 10, feesMaxAmount: 9.99 },
          { id: 2, feesStartDate: '2026-03-01T00:00:00Z', feesEndDate: '2026-03-01T02:00:00+02:00' },
        ],
      },
    },
    [
      'fees.json: $.fees[0].feesMinAmount: expected at most feesMaxAmount, 9.99, received 10',
      '$.fees[1].feesEndDate: expected a time after feesStartDate, 2026-03-01T00:00:00Z, received 2026-03-01T02:00:00+02:00',
    ],
  ],
  [
    'with a chargeback fee in an unknown currency',
    { 'adjustments.json': { chargeback: { fees: { EUR: 15 } } } },
    ['adjustments.json: $.chargeback.fees.EUR: expected a fee in a currency of currencies.json: USD, received "EUR"'],
  ],
  [
    'with two currencies of the same code',
    { 'currencies.json': { currencies: [{ ...CURRENCY, id: 2 }] } },
    [
      'currencies.json: $.currencies[0].currencyCode: expected a code that no other currency has, received "USD", the code of id 1',
    ],
  ],
  ['that breaks its schema', { 'times.json': { localOffset: 'two hours' } }, ['times.json: $.localOffset: expected']],
  [
    'with a word for a refund that clients would treat as success',
    { 'payment-states.json': { PartlyRefunded: { word: 'PAID' } } },
    ['payment-states.json: $.PartlyRefunded.word: expected a word that Paid does not have'],
  ],
  [
    'that limits payouts to the funds of a bank account, which are unknown',
    { 'ledger.json': { payoutFunds: 'enforced' } },
    ['ledger.json: $.payoutFunds: expected unlimited if payoutDebit is bank'],
  ],
  ['with an impossible offset from UTC', { 'times.json': { localOffset: '+99:00' } }, ['$.localOffset']],
  [
    'with an unknown file name',
    { 'chanels.json': {} },
    ['chanels.json: no fixture has this name; known names are adjustments'],
  ],
  [
    'in a scenario file with the wrong extension',
    { 'scenarios/odd.yaml': '' },
    ['odd.yaml: a scenario is a file whose name'],
  ],
  [
    'whose alias is a path of another operation',
    alias('listBanks', '/param/paymentIntervals'),
    [
      'operations.json: $.operations.listBanks.aliases[0].path: expected a separate path',
      'is a path of listPaymentIntervals already',
    ],
  ],
  [
    'with an alias that equals the path of its operation',
    alias('listBanks', '/init/banks/all'),
    ['a path of listBanks already'],
  ],
  ['whose alias has no placeholder for the id', alias('cancelRecurringPayment', '/stop'), ['a path with one {id}']],
  ['whose alias has a placeholder without a parameter', alias('listBanks', '/banks/{id}'), ['a path without braces']],
  ['with an alias below a reserved path', alias('listBanks', '/_sandbox/banks'), ['aliases[0].path']],
  [
    'for an unknown operation',
    { 'operations.json': { operations: { payAgain: {}, payTwice: {} } } },
    ['$.operations.payAgain: expected one of getAccessToken', '$.operations.payTwice: expected one of'],
  ],
  [
    'with an unknown limit of a payer',
    {
      'payer-limits.json': {
        limits: [{ maxPayment: 1 }, { payer: { testCard: 'golden' } }, { currency: 'XXX' }, { perDay: {} }],
      },
    },
    ['payer-limits.json: $.limits[3].perDay: expected'],
  ],
  [
    'with limits for unknown payers, channels and currencies',
    {
      'payer-limits.json': {
        limits: [{ channels: ['carrier-pigeon'] }, { payer: { testCard: 'golden' } }, { currency: 'XXX' }],
        reasons: [{ channels: ['card-switch'], ...REASONS }],
      },
    },
    [
      '$.limits[0].channels[0]: expected one of qr-wallet',
      '$.limits[1].payer.testCard: expected one of approved',
      '$.limits[2].currency: expected one of USD',
      '$.reasons: expected a row for qr-wallet, or one without channels',
    ],
  ],
  [
    'with an unknown message',
    { 'operations.json': { operations: { listBanks: { messages: { hello: 'x' } } } } },
    ['$.operations.listBanks.messages.hello: expected no message'],
  ],
  [
    'with a message that names an unknown variable',
    {
      'operations.json': { operations: { saveFastCheckout: { messages: { created: '{{imageUrl}} {{image}}' } } } },
    },
    ['$.operations.saveFastCheckout.messages.created: expected {{imageUrl}}, received {{image}}'],
  ],
  [
    'with a template that does not parse',
    channel({ answers: { default: { paymentTokenDescription: 'To {{payerName' } } }),
    ['channels.json: $.channels[0].answers.default.paymentTokenDescription: expected a template with {{paymentId}}'],
  ],
  [
    'with a template that contains a block helper',
    channel({ answers: { default: { paymentToken: '{{#if x}}y{{/if}}' } } }),
    ['$.channels[0].answers.default.paymentToken: expected {{paymentId}}'],
  ],
  [
    'with a template that names an unknown variable',
    channel({ answers: { default: { paymentToken: '{{tokn}}' } } }),
    ['$.channels[0].answers.default.paymentToken', 'received {{tokn}}'],
  ],
  [
    'with a recorded answer that names an unknown variable',
    channel({ recordedAnswers: { theirs: { extra: { list: ['{{tokn}}'] }, other: 1 } } }),
    ['channels.json: $.channels[0].recordedAnswers.theirs.extra.list[0]', 'received {{tokn}}'],
  ],
  [
    'with an answer that the interface does not have',
    channel({ answers: { default: { status: null, extra: 1 } } }),
    [
      '$.channels[0].answers.default.status: expected a string, received null',
      '$.channels[0].answers.default.extra: expected no such field',
    ],
  ],
  [
    'with an answer in which a required member may be null',
    channel({ answers: { default: { status: '{{testResultCode}}' } } }),
    ['$.channels[0].answers.default.status: expected a string, received null'],
  ],
  [
    'with an error body that names an unknown variable',
    { 'errors.json': { envelopes: { query: { why: ['{{reason}}'] } } } },
    ['errors.json: $.envelopes.query.why[0]: expected {{message}}, {{status}}, received {{reason}}'],
  ],
  [
    'with a sample that names an unknown variable',
    {
      'webhook-samples.json': { samples: { TRANSACTIONS: { paymentDate: '{{today}}' } } },
    },
    ['$.samples.TRANSACTIONS.paymentDate: expected {{now}}'],
  ],
  [
    'with a newcomer that names an unknown variable',
    { 'merchants.json': { newcomer: { name: '{{id}}' } } },
    ['$.newcomer.name'],
  ],
  [
    'with a wallet name of two channels',
    channel({ names: ['wallet_mobile', 'Mine'] }),
    [
      'channels.json: $.channels[0].names[0]: expected a name that no other channel has, received "wallet_mobile", which is a name of mobile-money',
    ],
  ],
  [
    'with a duplicate id',
    { 'banks.json': { banks: [{ id: 1 }, { id: 1 }] } },
    ['banks.json: $.banks[1].id: expected a unique id, received 1 for the second time'],
  ],
  [
    'with an unknown token channel',
    { 'channels.json': { tokenChannel: 'cash', channels: [] } },
    ['channels.json: $.tokenChannel: expected one of qr-wallet'],
  ],
  [
    'with fees of an unknown channel',
    { 'fees.json': { fees: [{ ...FEES, id: 9, channel: 'qr' }] } },
    ['fees.json: $.fees[0].channel: expected one of qr-wallet'],
  ],
  [
    'with fees in an unknown currency',
    { 'fees.json': { fees: [{ channel: 'card-switch', feesCurrencyId: 77 }] } },
    ['fees.json: $.fees[0].feesCurrencyId: expected the id of a currency in currencies.json', 'received 77'],
  ],
  [
    'with a lifetime that is not a duration',
    channel({ lifetime: '-PT1S' }),
    ['$.channels[0].lifetime: expected a duration such as 15m'],
  ],
  [
    'with a duplicate scenario',
    {
      'scenarios/a.json': { name: 'same', description: '', rules: [] },
      'scenarios/b.json': { name: 'same', description: '', rules: [] },
    },
    ['b.json: $.name: the scenario same is already defined in'],
  ],
  [
    'for a scenario that has an unknown fault',
    scenario({ fault: { at: 'before', kind: 'fire' } }),
    ['odd.json: $.rules[0].fault.kind: expected one of'],
  ],
  [
    'for a scenario that has an unknown channel and an invalid pattern',
    scenario({ when: { channel: 'cash', body: { pattern: '(' } } }),
    [
      'odd.json: $.rules[0].when.channel: expected one of qr-wallet',
      '$.rules[0].when.body.pattern: expected a pattern in RE2 syntax',
    ],
  ],
])('a fixture %s is refused, with the reason', async (_title, files, words) => {
  const start = startSandbox({ fixtures: userFolder(files) });
  await expect(start).rejects.toThrow(FixtureError);
  for (const each of words) {
    await expect(start).rejects.toThrow(each);
  }
});

it('overlapping and disabled fee rows are accepted, and so is a currency that replaces a shipped one', async () => {
  const folder = userFolder({
    'fees.json': {
      fees: [
        { ...FEES, id: 31, feesStartDate: '2026-01-01T00:00:00Z' },
        { ...FEES, id: 32, feesStatus: false },
        { ...FEES, id: 33, feesMerchantId: 'M-1000' },
      ],
    },
    'currencies.json': { currencies: [{ id: 1, currencyCode: 'EUR' }] },
    'adjustments.json': { chargeback: { fees: { EUR: 12.5 } } },
  });
  const { adjustments } = await loadFixtures(folder);
  expect(adjustments.chargeback.fees).toEqual({ USD: 15, EUR: 12.5 });
});

it("a channel without fees is refused with the path in the user's file", async () => {
  const { channels } = await loadFixtures();
  const added = { ...channels.channels[4], id: 'card-network-c', names: ['WALLET_CARD_C'] };
  const folder = userFolder({ 'channels.json': { channels: [added] } });
  await expect(loadFixtures(folder)).rejects.toThrow(
    `${join(folder, 'channels.json')}: $.channels[0].id: expected a row in fees.json for card-network-c, received none`,
  );
});

it("a mistake is reported with its path in the user's file, even if the merged fixture differs", async () => {
  const folder = userFolder({
    'channels.json': { channels: [{ id: 'card-network-b', answers: { default: { status: 5 } } }] },
  });
  await expect(loadFixtures(folder)).rejects.toThrow('$.channels[0].answers.default.status');
});

it('mistakes in several files are reported at once', async () => {
  const folder = userFolder({
    'fees.json': '{',
    'times.json': { localOffset: 'x', payoutDuration: 'soon' },
    'phone.jsn': {},
    'scenarios/odd.json': { name: 'odd', description: '', rules: [{ when: { operation: 'pay' } }] },
  });
  const problem = await loadFixtures(folder).catch((error: Error) => error.message);
  for (const words of [
    'phone.jsn: no fixture has this name',
    'fees.json: is not JSON',
    'times.json: $.localOffset: expected an offset from UTC',
    '$.payoutDuration: expected a duration such as 15m',
    'odd.json: $.rules[0].when.operation: expected one of getAccessToken',
  ]) {
    expect(problem).toContain(words);
  }
});

const SCENARIO = { name: 'mine', description: '', rules: [{ respond: { template: 'default' } }] };

describe('a misspelled id', () => {
  it.each<[string, Record<string, unknown>, string]>([
    [
      'of a channel in a folder that also contains a scenario',
      { 'channels.json': { channels: [{ id: 'qr-walet', names: ['X'] }] }, 'scenarios/mine.json': SCENARIO },
      'channels.json: $.channels[0].id: expected a shipped id, or all fields of a new entry, received "qr-walet", did you mean qr-wallet? (line 1)',
    ],
    [
      'of a fee in a file of many lines',
      { 'fees.json': '{\n  "fees": [\n    { "channel": "qr-wallett" }\n  ]\n}' },
      '$.fees[0].channel: expected a shipped channel, or all fields of a new entry, received "qr-wallett", did you mean qr-wallet? (line 3)',
    ],
    [
      'of a channel in a scenario',
      scenario({ when: { channel: 'mobile-mony' } }),
      'received "mobile-mony", did you mean mobile-money? (line 1)',
    ],
    [
      'of a channel in fees',
      { 'fees.json': { fees: [{ ...FEES, channel: 'qr-walet', id: 77 }] } },
      'received "qr-walet", did you mean qr-wallet? (line 1)',
    ],
    [
      'of a channel in a behaviour',
      {
        'behaviours/odd.json': {
          name: 'odd',
          description: '',
          source: 'seen',
          date: '2026-03-01',
          calls: { latency: [{ channels: ['qr-walet'], percentiles: { 50: 'PT1S' } }] },
        },
      },
      'received "qr-walet", did you mean qr-wallet? (line 1)',
    ],
    [
      'of an answer',
      scenario({ respond: { template: 'defualt' } }),
      'received "defualt", did you mean default? (line 1)',
    ],
  ])('%s is reported once, with a suggestion', async (_, files, words) => {
    const folder = userFolder({});
    mkdirSync(join(folder, 'behaviours'));
    for (const [name, value] of Object.entries(files)) {
      writeFileSync(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value));
    }
    const error = await loadFixtures(folder).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(FixtureError);
    expect((error as Error).message).toContain(words);
    expect((error as Error).message).not.toContain('; ');
  });
});

it.each(['null', '[]', '"x"', '1', '{}', '{"name":null}', '{"name":["x"]}'])(
  'the error names the invalid file when its content is %s',
  async (text) => {
    const files = [...jsonFilesIn('fixtures'), 'scenarios/a.json', 'scenarios/b.json', 'behaviours/a.json'];
    for (const name of files) {
      const folder = userFolder({});
      mkdirSync(join(folder, 'behaviours'));
      writeFileSync(join(folder, 'scenarios/mine.json'), JSON.stringify(SCENARIO));
      writeFileSync(join(folder, name), text);
      const error = await loadFixtures(folder).then(
        () => undefined,
        (reason: Error) => reason,
      );
      // An empty object changes nothing.
      const isValid = text === '{}' && !name.includes('/');
      expect([name, error?.name, error?.message.startsWith(join(folder, name))]).toEqual(
        isValid ? [name, undefined, undefined] : [name, 'FixtureError', true],
      );
    }
  },
);

it('a fixture that is not JSON is reported with line and suggestion', async () => {
  const folder = userFolder({ 'fees.json': '\uFEFF{\r\n  "fees": [],\r\n}' });
  await expect(loadFixtures(folder)).rejects.toThrow(
    `${join(folder, 'fees.json')}: is not JSON: at line 3, column 1, expected a field name in double quotes; remove the comma before it`,
  );
});

it('a fixture may have a byte order mark and CRLF', async () => {
  const folder = userFolder({
    'channels.json': `\uFEFF${JSON.stringify({ channels: [{ id: 'qr-wallet', names: ['X'] }] }, null, 2).replaceAll('\n', '\r\n')}`,
    'scenarios/mine.json': `\uFEFF${JSON.stringify(SCENARIO)}\r\n`,
  });
  const fixtures = await loadFixtures(folder);
  expect([fixtures.channelByName('X')?.id, fixtures.scenarios.has('mine')]).toEqual(['qr-wallet', true]);
});

it('a fixture in UTF-16 is refused, with advice', async () => {
  const folder = userFolder({});
  writeFileSync(join(folder, 'fees.json'), Buffer.from('\uFEFF{}', 'utf16le'));
  await expect(loadFixtures(folder)).rejects.toThrow('fees.json: cannot be read: it is UTF-16 text; save it as UTF-8');
});

describe('a link', () => {
  it('to a folder of scenarios, or to a file, is followed', async () => {
    const elsewhere = newFolder();
    writeFileSync(join(elsewhere, 'mine.json'), JSON.stringify(SCENARIO));
    writeFileSync(join(elsewhere, 'times.json'), '{}');
    const folder = newFolder();
    symlinkSync(elsewhere, join(folder, 'scenarios'));
    symlinkSync(join(elsewhere, 'times.json'), join(folder, 'times.json'));
    // The other file in that folder is not a scenario.
    await expect(loadFixtures(folder)).rejects.toThrow(/^\S+scenarios.times\.json: \$\.name:/);
    rmSync(join(elsewhere, 'times.json'));
    rmSync(join(folder, 'times.json'));
    expect((await loadFixtures(folder)).scenarios.has('mine')).toBe(true);
  });

  it.each(['times.json', 'scenarios/mine.json', 'behaviours'])(
    'to a target that does not exist is reported: %s',
    async (name) => {
      const folder = userFolder({});
      symlinkSync(join(folder, 'nowhere'), join(folder, name));
      await expect(loadFixtures(folder)).rejects.toThrow(`${join(folder, name)}: is a link to a missing file`);
    },
  );
});

it.each([
  ...['Thumbs.db', 'ehthumbs.db', 'desktop.ini', 'Icon\r', '#channels.json#', '.#channels.json', '.DS_Store'],
  ...[
    'channels.json~',
    '.channels.json.swp',
    'channels.json.bak',
    'channels.json.orig',
    'channels.json.tmp',
    'NOTES.md',
  ],
])('%j may be in the folder of fixtures and its subfolders', async (name) => {
  const folder = userFolder({ [name]: 'x', [`scenarios/${name}`]: 'x' });
  await expect(loadFixtures(folder)).resolves.toBeDefined();
});

it('folders that operating systems create may be in the folder of fixtures', async () => {
  const folder = newFolder();
  for (const name of ['lost+found', '__MACOSX', '@eaDir', '.git', '..data']) {
    mkdirSync(join(folder, name));
  }
  await expect(loadFixtures(folder)).resolves.toBeDefined();
});

it('a file instead of a folder, and a folder instead of a file, are refused', async () => {
  const folder = userFolder({ 'times.json': '{}' });
  await expect(loadFixtures(join(folder, 'times.json'))).rejects.toThrow('times.json: is not a folder');
  mkdirSync(join(folder, 'fees.json'));
  await expect(loadFixtures(folder)).rejects.toThrow('fees.json: no fixture has this name');
});

it('a folder of fixtures that does not exist is refused; notes and hidden files in a folder are ignored', async () => {
  await expect(loadFixtures(join(newFolder(), 'nowhere'))).rejects.toThrow('nowhere: there is no such folder');
  await expect(
    loadFixtures(userFolder({ 'README.md': '', '.gitignore': '', 'fees.json~': '' })),
  ).resolves.toBeDefined();
});

describe('additional wallet names', () => {
  it('select their channel, like its other names', async () => {
    const fixtures = await loadFixtures(undefined, { walletNames: { 'qr-wallet': ['Name A', 'wallet_qr'] } });
    for (const name of ['Name A', 'WALLET_QR', 'wallet_qr']) {
      expect([name, fixtures.channelByName(name)?.id]).toEqual([name, 'qr-wallet']);
      expect(fixtures.walletNameLike(name)).toBe(name);
    }
    expect(fixtures.channelByName('NAME A')).toBeUndefined();
    expect(fixtures.walletNameLike('NAME A')).toBe('Name A');
  });

  it.each([
    [{ cash: ['Name A'] }, '--wallet-names: there is no channel cash; known channels are qr-wallet'],
    [{ 'qr-wallet': ['wallet_mobile'] }, '--wallet-names: wallet_mobile is already a name of mobile-money'],
    [{ 'qr-wallet': ['Name A'], 'card-switch': ['name a'] }, '--wallet-names: name a is already a name of qr-wallet'],
  ])('are refused for %j', async (walletNames, words) => {
    await expect(loadFixtures(undefined, { walletNames })).rejects.toThrow(words);
  });
});

it('the schemas of operation names and of scenarios list the operations of the table', () => {
  const names = OPERATIONS.map(({ name }) => name);
  expect(loadSchema('fixtures/operation-name')['enum']).toEqual(names);
  const others = ['payPaymentLink', 'payShopCode', 'chargeRecurringPayment', 'closeSettlement'];
  expect(loadSchema('fixtures/scenario')['$defs'].operation.enum).toEqual([...names, ...others]);
});

it("the shipped fixtures pass every check for a user's fixtures", async () => {
  const folder = newFolder();
  cpSync('fixtures', folder, { recursive: true });
  await expect(startSandbox({ fixtures: folder }).then((sandbox) => sandbox.close())).resolves.toBeUndefined();
});
