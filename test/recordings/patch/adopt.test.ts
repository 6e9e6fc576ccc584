import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMembers } from '../../../src/base/members.ts';
import type { Difference, RecordedBody, RecordedCall } from '../../../src/base/schema/recordings.ts';
import { formatUtc, parseInstant } from '../../../src/base/time.ts';
import { drift } from '../../../src/recordings/drift.ts';
import { NOT_REACHABLE, RECORDING_ENDED } from '../../../src/recordings/recording.ts';
import { exampleOf } from '../../interface/examples.ts';
import { temporaryFolders } from '../../temporary-folder.ts';
import { lineOf } from '../drift/compared.ts';
import { notificationAt } from '../exchanges.ts';
import { after, recordingOf } from '../player/tape.ts';
import { type Exchange, exchangesWith, WALLETS } from './shop.ts';

const temporaryFolder = temporaryFolders();

async function recorded(exchanges: readonly Exchange[]): Promise<string> {
  const folder = temporaryFolder();
  await recordingOf(folder, exchanges);
  return folder;
}

const json = (folder: string, file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'));

/** The exchanges with another answer to initiations: what `change` makes of it. */
function answeredOtherwise(
  exchanges: readonly Exchange[],
  change: (answer: Record<string, unknown>, sent: string) => object,
): Exchange[] {
  return exchanges.map((exchange) => {
    const body = exchange.kind === 'call' ? exchange.answer?.body : undefined;
    const content = body && 'json' in body ? body.json : null;
    if (!isMembers(content) || !isMembers(content['paymentInitiationResponse']) || !exchange.answer) {
      return exchange;
    }
    const answer = change(content['paymentInitiationResponse'], JSON.stringify(exchange.body));
    const changed = { ...content, paymentInitiationResponse: answer };
    return { ...exchange, answer: { ...exchange.answer, body: { json: changed as Record<string, unknown> } } };
  });
}

describe('what a service does otherwise is adopted', () => {
  test.each([
    [{ scenario: 'declined' }, 'initiatePayment on card-switch: Failed after PT3S'],
    [{ scenario: 'empty-strings' }, 'initiatePayment on qr-wallet is answered as recorded of channels.json'],
    [{ scenario: 'short-answers' }, 'the recorded answer to initiatePayment, 6 members'],
    [{ behaviour: 'notified-by-put-with-hash' }, 'a hash in the header x-notification-hash proves notifications'],
    [{ behaviour: 'notified-three-times' }, 'a failed notification is tried again after PT300S'],
    [{ behaviour: 'notified-once-unsigned' }, 'a notification is sent once'],
    [{ behaviour: 'notification-lags' }, 'a notification comes PT24S after the outcome'],
  ])(
    '%o',
    async (settings, says) => {
      const folder = await recorded(await exchangesWith(temporaryFolder, settings));
      const fixtures = join(temporaryFolder(), 'new');
      const options = { folder, fixtures, scenario: 'auto-approve' };
      const report = await drift({ ...options, apply: true });
      expect(report.differences.length).toBeGreaterThan(0);
      expect(report.differences.filter(({ fixture }) => fixture === null)).toEqual([]);
      expect(report.proposal?.entries.map((entry) => entry.says)).toContain(says);
      const ours = report.proposal?.entries.filter(({ source }) => source === null).map((entry) => entry.says) ?? [];
      expect(ours.filter((each) => each !== 'the rest is as in the scenario auto-approve')).toEqual([]);
      expect(report.proposal).toMatchObject({ left: [], writtenTo: fixtures });
      const again = await drift({ folder, fixtures });
      expect(again.differences.map(lineOf)).toEqual([]);
      expect(again).toMatchObject({ proposal: null, against: { scenario: 'as-recorded' } });
      expect(again.notices[0]).toContain('used the scenario as-recorded from');
    },
    60_000,
  );

  test('but what no fixture can say is left, and nothing is written that does not help', async () => {
    const exchanges = await exchangesWith(temporaryFolder);
    const others = answeredOtherwise(exchanges, (answer) => ({ ...answer, paymentId: 5, fee: '0.10' })).map(
      (exchange) => ({
        ...exchange,
        headers:
          exchange.kind === 'notification' ? [...exchange.headers, { name: 'x-extra', value: '1' }] : exchange.headers,
      }),
    );
    const folder = await recorded(others);
    const report = await drift({ folder, scenario: 'auto-approve' });
    const header = report.differences.find(({ kind }) => kind === 'header');
    expect(header).toMatchObject({ place: 'x-extra', fixture: null });
    const [id, fee] = ['paymentId', 'fee'].map((name) => `$.paymentInitiationResponse.${name}`);
    const fixtureOf = (place?: string) =>
      report.differences.filter((each) => each.place === place).map((each) => each.fixture);
    expect(fixtureOf(id)).toEqual([null, null, null, null, null]);
    // The same on all five channels is one difference.
    expect(fixtureOf(fee)).toEqual(['channels.json']);
    expect(new Set(report.proposal?.left.map(({ place }) => place))).toEqual(new Set(['x-extra', id]));
    expect(report.proposal?.writtenTo).toBeNull();
    const idsOf = (all: readonly Difference[] = []) => new Set(all.map((each) => each.id));
    expect(idsOf(report.proposal?.left)).toEqual(idsOf(report.differences.filter(({ fixture }) => fixture === null)));

    const alone = await recorded(answeredOtherwise(exchanges, (answer) => ({ ...answer, paymentId: 5 })));
    const fixtures = join(temporaryFolder(), 'new');
    const { proposal, notices } = await drift({ folder: alone, scenario: 'auto-approve', fixtures, apply: true });
    expect(proposal).toBeNull();
    expect(notices).toContain(`Nothing was written to ${fixtures}: no fixture adopts a difference.`);
    expect(existsSync(fixtures)).toBe(false);
  }, 60_000);

  test('in its times', async () => {
    const theirs = temporaryFolder();
    const times = { localOffset: '+03:00', notificationOffset: '+01:00' };
    writeFileSync(join(theirs, 'times.json'), JSON.stringify(times));
    const channels = [{ id: 'qr-wallet', lifetime: 'PT10M' }];
    writeFileSync(join(theirs, 'channels.json'), JSON.stringify({ channels }));
    const settings = { fixtures: theirs, scenario: 'declined' };
    const folder = await recorded(await exchangesWith(temporaryFolder, settings));
    const fixtures = temporaryFolder();
    await drift({ folder, fixtures, scenario: 'auto-approve', apply: true });
    expect(json(fixtures, 'times.json')).toEqual(times);
    expect(json(fixtures, 'channels.json')).toEqual({ channels });
  }, 60_000);

  test('in its offset, where nothing else differs', async () => {
    const shifted = (body: RecordedBody): RecordedBody =>
      JSON.parse(JSON.stringify(body).replaceAll('+02:00"', '+05:00"')) as RecordedBody;
    const exchanges = (await exchangesWith(temporaryFolder)).map((exchange): Exchange => {
      const answer = exchange.answer && { ...exchange.answer, body: shifted(exchange.answer.body) };
      return exchange.kind === 'call' ? { ...exchange, answer } : { ...exchange, body: shifted(exchange.body) };
    });
    const folder = await recorded(exchanges);
    const fixtures = temporaryFolder();
    const report = await drift({ folder, fixtures, scenario: 'auto-approve', apply: true });
    expect(
      report.differences.map(({ kind, recorded: { is }, fixture }) => [kind, is, fixture?.split(',')[0]]),
    ).toContainEqual(['format', 'instant with offset +05:00 and milliseconds', 'times.json']);
    expect(json(fixtures, 'times.json')).toEqual({ localOffset: '+05:00' });
    expect(existsSync(join(fixtures, 'channels.json'))).toBe(false);
  }, 60_000);

  test('in its payments, whatever becomes of a payout', async () => {
    const exchanges = await exchangesWith(temporaryFolder, { scenario: 'declined' });
    const lastCall = exchanges.findLast(
      (each) => each.kind === 'call' && each.target.includes('Details'),
    ) as RecordedCall;
    const payout: RecordedCall = {
      ...lastCall,
      ...{ id: 'payout', method: 'POST', target: '/init/authenticate/merchant/bulkPayment' },
      body: { json: exampleOf('requests/bulk-payout') },
    };
    const folder = await recorded([...exchanges, payout]);
    const report = await drift({ folder, fixtures: temporaryFolder(), scenario: 'auto-approve' });
    const sequences = report.differences.filter(({ kind }) => kind === 'sequence');
    expect(sequences.map(({ channel, fixture }) => [channel, fixture])).toEqual([
      ...Object.keys(WALLETS).map((channel) => [channel, 'scenarios/as-recorded.json']),
      [null, null],
    ]);
    const left = report.proposal?.left.filter(({ kind }) => kind === 'sequence');
    expect(left?.map(({ channel }) => channel)).toEqual([null]);
  }, 60_000);

  test('in what becomes of payments, as far as it is known what that is', async () => {
    const exchanges = await exchangesWith(temporaryFolder, { scenario: 'declined' });
    const refund = notificationAt(after(400), {
      body: { json: { status: 'Refunded', paymentReference: 'ORDER-qr-wallet-1' } },
    });
    const folder = await recorded([...exchanges, refund]);
    const report = await drift({ folder, fixtures: temporaryFolder(), scenario: 'auto-approve' });
    const says = report.proposal?.entries.map((entry) => entry.says);
    expect(says).toContain('initiatePayment on qr-wallet: Failed after PT3S');
    expect(report.proposal?.notes).toContain(
      'Not adopted: the status "Refunded" of initiatePayment on qr-wallet, as it is not known which of Paid, Failed, Cancelled, Expired it stands for, if any.',
    );
    const told = (each: Exchange, word: string) =>
      JSON.parse(JSON.stringify(each).replaceAll('"Failed"', `"${word}"`)) as Exchange;
    const before = (at: string) => new Date(Date.parse(at) - 9000).toISOString();
    const unknown = exchanges.flatMap((each) => {
      const isQuery = each.kind === 'call' && each.target.includes('Details');
      const early = isQuery ? [{ ...told(each, 'Processing'), id: `early-${each.id}`, at: before(each.at) }] : [];
      return [...early, told(each, 'Complete')];
    });
    const waiting = await drift({ folder: await recorded(unknown), fixtures: temporaryFolder() });
    expect(waiting.proposal?.entries.map((entry) => entry.says).filter((each) => each.includes('waits'))).toEqual([]);
    expect(waiting.proposal?.notes.filter((note) => note.includes('the status "Complete"'))).toHaveLength(5);
  }, 60_000);

  test('but no delay of a payment whose first initiation was not answered', async () => {
    const exchanges = await exchangesWith(temporaryFolder);
    const later = <Of extends Exchange>(exchange: Of, seconds: number): Of => ({
      ...exchange,
      at: formatUtc(parseInstant(exchange.at) + seconds * 1000),
    });
    const retried = exchanges.flatMap((exchange): Exchange[] => {
      const sent = JSON.stringify(exchange.body);
      if (exchange.kind === 'notification') {
        return [sent.includes('ORDER-card-network-a') ? later(exchange, 7) : exchange];
      }
      if (sent.includes('"payerReference":"ORDER-card-network-a')) {
        return [{ ...exchange, answer: null }, later(exchange, 9.5)];
      }
      return sent.includes('ORDER-card-network-a') ? [] : [exchange];
    });
    const inOrder = retried.toSorted((one, other) => parseInstant(one.at) - parseInstant(other.at));
    const { differences, proposal } = await drift({ folder: await recorded(inOrder), scenario: 'auto-approve' });
    expect(differences.map(lineOf)).toContain('no-answer answer: null | [200]');
    expect(differences.map(({ kind }) => kind)).not.toContain('delay');
    expect(proposal?.entries.filter(({ says }) => says.includes('Paid after')) ?? []).toEqual([]);
  }, 60_000);

  test('in how it refuses: statuses, and bodies with other members', async () => {
    const theirs = temporaryFolder();
    const refused = {
      statuses: { 'wrong-credentials': 403 },
      envelopes: { 'access-token': { problem: { code: '{{status}}', detail: '{{message}}' }, retry: false } },
    };
    writeFileSync(join(theirs, 'errors.json'), JSON.stringify(refused));
    const folder = await recorded(await exchangesWith(temporaryFolder, { fixtures: theirs }));
    const fixtures = temporaryFolder();
    const report = await drift({ folder, fixtures, scenario: 'auto-approve', apply: true });
    expect(report.proposal?.entries.map(({ says }) => says)).toEqual([
      'a refusal for wrong-credentials has the status 403',
      'refusals have the members problem, retry',
      'the rest is as in the scenario auto-approve',
    ]);
    expect(json(fixtures, 'errors.json')).toEqual(refused);
    expect((await drift({ folder, fixtures, scenario: 'auto-approve' })).differences).toEqual([]);
  }, 60_000);

  test('on each environment in its way', async () => {
    const routes = (exchange: Exchange): Exchange =>
      exchange.kind === 'call' && JSON.stringify(exchange.body).includes('-2"')
        ? { ...exchange, target: `/sandbox${exchange.target}` }
        : exchange;
    const exchanges = (await exchangesWith(temporaryFolder)).map(routes);
    const change = (answer: object, sent: string) => ({ ...answer, fee: sent.includes('-2"') ? '0.20' : '0.10' });
    const folder = await recorded(answeredOtherwise(exchanges, change));
    const fixtures = temporaryFolder();
    await drift({ folder, fixtures, scenario: 'auto-approve', apply: true });
    const [first] = json(fixtures, 'channels.json').channels;
    expect(first.recordedAnswers).toMatchObject({ recorded: { fee: '0.10' }, 'recorded-2': { fee: '0.20' } });
    const again = await drift({ folder, fixtures });
    expect(again.differences.map(lineOf)).toEqual([]);
  }, 60_000);

  test('of one payment among others', async () => {
    const theirs = temporaryFolder();
    mkdirSync(join(theirs, 'scenarios'));
    const only = { properties: { payerReference: { const: 'ORDER-card-switch-2' } } };
    const settle = { outcome: 'Failed', after: 'PT7S', description: 'Theirs alone' };
    const rules = [{ when: { body: only }, settle }, { settle: { outcome: 'Paid', after: 'PT3S' } }];
    const scenario = { name: 'theirs', description: 'One fails.', rules };
    writeFileSync(join(theirs, 'scenarios', 'theirs.json'), JSON.stringify(scenario));
    const folder = await recorded(await exchangesWith(temporaryFolder, { fixtures: theirs, scenario: 'theirs' }));
    const fixtures = temporaryFolder();
    await drift({ folder, fixtures, scenario: 'auto-approve', apply: true });
    expect(json(fixtures, 'scenarios/as-recorded.json').rules).toContainEqual({
      when: {
        operation: 'initiatePayment',
        channel: 'card-switch',
        environment: 'production',
        body: { properties: { payerReference: { const: 'ORDER-card-switch-2' } }, required: ['payerReference'] },
      },
      settle,
    });
    expect((await drift({ folder, fixtures })).differences.map(lineOf)).toEqual([]);
  }, 60_000);
});

test('a behaviour is not proposed where only some notifications come otherwise', async () => {
  const exchanges = await exchangesWith(temporaryFolder);
  const others = exchanges.map((exchange) =>
    exchange.kind === 'notification' && JSON.stringify(exchange.body).includes('-card-switch-')
      ? { ...exchange, method: 'PUT', headers: exchange.headers.filter(({ name }) => !name.startsWith('webhook-')) }
      : exchange,
  );
  const folder = await recorded(others);
  const report = await drift({ folder, scenario: 'auto-approve' });
  expect(report.differences.map(({ kind, fixture }) => [kind, fixture])).toEqual([
    ['signature', null],
    ['method', null],
  ]);
  expect(report.proposal).toMatchObject({
    files: [],
    notes: [
      'Only some notifications come by another method; a behaviour has one for all.',
      'Only some notifications have another proof; a behaviour has one for all.',
    ],
  });
}, 60_000);

describe('another name for a status', () => {
  const renamed = async (word: string) => {
    const exchanges = await exchangesWith(temporaryFolder);
    return recorded(exchanges.map((each) => JSON.parse(JSON.stringify(each).replaceAll('"Paid"', `"${word}"`))));
  };

  test('is adopted', async () => {
    const [folder, fixtures] = [await renamed('Completed'), temporaryFolder()];
    await drift({ folder, fixtures, scenario: 'auto-approve', apply: true });
    expect(json(fixtures, 'payment-states.json')).toEqual({ Paid: { word: 'Completed' } });
    expect((await drift({ folder, fixtures })).differences.map(lineOf)).toEqual([]);
  }, 60_000);

  test('is not proposed where the checks of fixtures refuse it, and the reason is told', async () => {
    const report = await drift({ folder: await renamed('EXPIRED'), scenario: 'auto-approve' });
    expect(report.differences.length).toBeGreaterThan(0);
    expect(report.differences.filter(({ fixture }) => fixture !== null)).toEqual([]);
    expect(report.proposal).toMatchObject({
      files: [],
      notes: [
        'Not proposed: payment-states.json: $.Expired.word: expected a word that Paid does not have, received "Expired".',
      ],
    });
  }, 60_000);
});

describe('what is of one payment, or of some calls', () => {
  const adopted = async (change: (answer: Record<string, unknown>, sent: string) => object) => {
    const folder = await recorded(answeredOtherwise(await exchangesWith(temporaryFolder), change));
    const fixtures = temporaryFolder();
    const { proposal } = await drift({ folder, fixtures, scenario: 'auto-approve', apply: true });
    const channels = existsSync(join(fixtures, 'channels.json')) ? json(fixtures, 'channels.json').channels : [];
    const qr = channels.find(({ id }: { id: string }) => id === 'qr-wallet');
    return { answer: qr?.recordedAnswers.recorded, notes: proposal?.notes };
  };

  test('is a placeholder, or is not adopted', async () => {
    const { answer, notes } = await adopted((answer, sent) => {
      const reference = /ORDER-[\w-]+/.exec(sent)?.[0];
      const mobile = /263770000000/.exec(sent)?.[0];
      const message = `Confirm ${reference} on ${mobile ?? 'the page'} now.`;
      return { fee: '0.10', ...answer, paymentResponseMessage: message, batch: `B${reference?.at(-1)}` };
    });
    expect(answer).toMatchObject({
      fee: '0.10',
      paymentResponseMessage: 'Confirm {{payerReference}} on the page now.',
    });
    expect(answer).not.toHaveProperty('batch');
    expect(notes).toContain(
      'Not adopted: batch in the answer to initiatePayment on qr-wallet is another one in each call.',
    );
    expect(notes?.filter((note) => note.includes('names values of one payment'))).toEqual([
      'Not adopted: paymentResponseMessage in the answer to initiatePayment on mobile-money names values of one payment.',
    ]);
  }, 60_000);

  test('is told, and the latest is proposed', async () => {
    const { answer, notes } = await adopted((answer, sent) =>
      sent.includes('-1"') ? { ...answer, fee: '0.10' } : { tax: null, ...answer },
    );
    expect(answer).toHaveProperty('tax', null);
    expect(answer).not.toHaveProperty('fee');
    expect(notes).toContain(
      'initiatePayment on qr-wallet, 2xx, $.paymentInitiationResponse.fee: calls disagree: 1 of 2 have it.',
    );
  }, 60_000);
});

test.each([
  ['the other side closed the connection', 1],
  [RECORDING_ENDED, 0],
  [NOT_REACHABLE, 0],
])(
  'calls without an answer are a fault of the service where it was: %s',
  async (error, faults) => {
    const exchanges = await exchangesWith(temporaryFolder);
    const without = exchanges.map((exchange) =>
      exchange.kind === 'call' && exchange.target.includes('/currencies/')
        ? { ...exchange, answer: null, error }
        : exchange,
    );
    const { proposal } = await drift({ folder: await recorded(without), scenario: 'auto-approve' });
    const says = proposal?.entries.filter((entry) => entry.says.endsWith('gets no answer')) ?? [];
    expect(says).toHaveLength(faults);
  },
  60_000,
);

test('calls that were done without an answer are a fault after they are done', async () => {
  const exchanges = await exchangesWith(temporaryFolder);
  const without = exchanges.map((exchange) =>
    exchange.kind === 'call' && exchange.target.endsWith('/wallet')
      ? { ...exchange, answer: null, error: 'no answer within 30000 ms' }
      : exchange,
  );
  const folder = await recorded(without);
  const fixtures = temporaryFolder();
  const { proposal } = await drift({ folder, fixtures, scenario: 'auto-approve', apply: true });
  const says = proposal?.entries.filter((entry) => entry.says.includes('gets no answer')) ?? [];
  expect(says.map((entry) => entry.says)).toEqual(
    Object.keys(WALLETS).map((channel) => `initiatePayment on ${channel} gets no answer, and is done`),
  );
  const { rules } = json(fixtures, 'scenarios/as-recorded.json') as { rules: { fault?: object }[] };
  expect(rules.filter(({ fault }) => fault).map(({ fault }) => fault)).toEqual(
    Object.keys(WALLETS).map(() => ({ at: 'after', kind: 'timeout' })),
  );
}, 60_000);

describe('a folder of fixtures', () => {
  test('keeps what its owner wrote', async () => {
    const exchanges = await exchangesWith(temporaryFolder);
    const folder = await recorded(
      answeredOtherwise(exchanges, (answer, sent) =>
        sent.includes('WALLET_QR') ? { fee: null, ...answer, note: 'Say {{name}} to ORDER-qr-wallet' } : answer,
      ),
    );
    const fixtures = temporaryFolder();
    const label = 'Our QR';
    const older = { recordedAnswers: { recorded: { status: 'older', paymentId: '{{paymentId}}' } } };
    const channels = [
      { id: 'qr-wallet', label, ...older },
      { id: 'mobile-money', names: ['OURS', 'WALLET_MOBILE'] },
    ];
    writeFileSync(join(fixtures, 'channels.json'), JSON.stringify({ channels }));
    const report = await drift({ folder, fixtures, scenario: 'auto-approve' });
    expect(json(fixtures, 'channels.json')).toEqual({ channels });
    const file = report.proposal?.files.find((each) => each.file === 'channels.json');
    expect(file?.diff).toContain('-           "status": "older",');
    await drift({ folder, fixtures, scenario: 'auto-approve', apply: true });
    const written = json(fixtures, 'channels.json').channels;
    expect(written[1]).toEqual(channels[1]);
    expect(written[0].label).toBe(label);
    expect(Object.keys(written[0].recordedAnswers)).toEqual(['recorded']);
    expect(Object.keys(written[0].recordedAnswers.recorded)).toHaveLength(12);
    expect((await drift({ folder, fixtures })).differences.map(lineOf)).toEqual([]);
  }, 60_000);

  test('is left alone where nothing differs, and is not made', async () => {
    const folder = await recorded(await exchangesWith(temporaryFolder));
    const fixtures = join(temporaryFolder(), 'new');
    const report = await drift({ folder, fixtures, scenario: 'auto-approve', apply: true });
    expect(report).toMatchObject({ verdict: 'same', proposal: null });
    expect(existsSync(fixtures)).toBe(false);
  }, 60_000);
});
