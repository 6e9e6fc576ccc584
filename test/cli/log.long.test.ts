import { post } from '../interface/calls.ts';
import { exampleOf } from '../interface/examples.ts';
import { type Running, runProgram, startProgram } from '../running.ts';

const startArgs = ['start', '--port', '0', '--data', ':memory:', '--now', '2026-03-01T10:00:00Z'];

async function pay(
  { url }: Running,
  members: Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${url}/init/authenticate/merchant/wallet`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(exampleOf('requests/single-payment', members)),
  });
}

/** The log of a sandbox, as lines without their times. */
async function logOf(format: 'text' | 'json', act: (running: Running) => Promise<unknown>): Promise<string[]> {
  const running = await startProgram(...startArgs, '--log-format', format);
  await act(running);
  await running.end('SIGTERM');
  return running
    .output()
    .split('\n')
    .filter((line) => /^\[|^\{/.test(line) && !line.endsWith('"msg":"ready"}'))
    .map((line) => line.replace(/^\[[\d:.]+\] /, '').replace(/\d+ms/, '0ms'));
}

const jsonLogOf = async (act: (running: Running) => Promise<unknown>) =>
  (await logOf('json', act)).map((line) => JSON.parse(line));

const WALLET = 'POST /init/authenticate/merchant/wallet initiatePayment';

it('a refused call is logged as a warning, with the field, the expected and the received value', async () => {
  const refuse = (running: Running) => pay(running, { amount: 10, payerReference: 'ORDER-1' });
  expect(await logOf('text', refuse)).toEqual([
    `WARN: ${WALLET} 400 0ms request-1 ORDER-1: $.amount: expected a string (a decimal with two places), e.g. "10.00", received number 10 (refused: invalid-field (SBX-R02))`,
  ]);
  expect(await jsonLogOf(refuse)).toMatchObject([
    {
      level: 40,
      status: 400,
      reference: 'ORDER-1',
      outcome: 'refused: invalid-field (SBX-R02)',
      reason: expect.stringContaining('$.amount'),
      findings: [{ path: '$.amount', received: 'number 10' }],
    },
  ]);
});

it('a call with an invalid session name is logged as a warning, with the reason', async () => {
  const refuse = (running: Running) => pay(running, {}, { 'x-sandbox-session': '-' });
  expect(await logOf('text', refuse)).toEqual([
    `WARN: ${WALLET} 400: "-" is not a session name: a letter or digit, then letters, digits, dots, dashes and underscores, 64 characters at most (refused: invalid-field (SBX-R02))`,
  ]);
  expect(await jsonLogOf(refuse)).toMatchObject([
    { level: 40, status: 400, operation: 'initiatePayment', session: '-', outcome: 'refused: invalid-field (SBX-R02)' },
  ]);
});

it('a payment is logged with reference, amount, channel and planned outcome, and then its outcome', async () => {
  const act = async (running: Running) => {
    await pay(running, { payerReference: 'ORDER-1' });
    await pay(running, { payerReference: 'ORDER-2' }, { 'x-sandbox-scenario': 'declined' });
    await runProgram(['settle', 'ORDER-1', 'Paid', '--url', running.url]);
  };
  expect(await logOf('text', act)).toEqual([
    `INFO: ${WALLET} 200 0ms request-1: payment-1: ORDER-1, 10.00 USD on qr-wallet, waits for its payer until 2026-03-01T10:15:00.000Z (payer-decides, chosen by session)`,
    `INFO: ${WALLET} 200 0ms request-2: payment-2: ORDER-2, 10.00 USD on qr-wallet, becomes Failed at 2026-03-01T10:00:03.000Z (rule 2 of declined, chosen by header)`,
    'INFO: payment-1 is Paid: ORDER-1, 10.00 USD on qr-wallet, by the control API, code 00, Approved or completed successfully',
  ]);
  expect(await jsonLogOf(act)).toMatchObject([
    { level: 30, subject: 'payment-1', reference: 'ORDER-1', amount: '10.00', currency: 'USD', channel: 'qr-wallet' },
    { subject: 'payment-2', plannedOutcome: { outcome: 'Failed', at: '2026-03-01T10:00:03.000Z' } },
    { level: 30, msg: 'payment.paid', subject: 'payment-1', reference: 'ORDER-1', cause: 'control' },
  ]);
});

it('a payout is logged with its outcome and that of each credit', async () => {
  const act = async (running: Running) => {
    await post('/init/authenticate/merchant/bulkPayment', exampleOf('requests/bulk-payout'), running.url);
    await runProgram(['settle-payout', 'PAYOUT-1', 'Paid', '--url', running.url]);
    await runProgram(['settle-payout', 'PAYOUT-1', 'Returned', 'AC04', '--credit', '2', '--url', running.url]);
  };
  expect((await logOf('text', act)).map((line) => line.replace(/ \(payer.*/, ''))).toEqual([
    'INFO: POST /init/authenticate/merchant/bulkPayment initiateBulkPayout 200 0ms request-1: payout-1: PAYOUT-1, 100.50 USD, becomes Paid at 2026-03-01T10:00:01.000Z',
    'INFO: payout-1 credit 1 of 2 is Paid: PAYOUT-1, 60.50 USD, by the control API',
    'INFO: payout-1 credit 2 of 2 is Paid: PAYOUT-1, 40.00 USD, by the control API',
    'INFO: payout-1 is Paid: PAYOUT-1, 100.50 USD, by the control API',
    'INFO: payout-1 credit 2 of 2 is Returned: PAYOUT-1, 40.00 USD, by the control API, code AC04, Closed account number',
    'INFO: payout-1 is PartlyPaid: PAYOUT-1, 100.50 USD, by the control API',
  ]);
  expect(await jsonLogOf(act)).toContainEqual(
    expect.objectContaining({ msg: 'payout.credit-paid', subject: 'payout-1', number: 1, of: 2 }),
  );
});

it('a failed attempt of a delivery is logged as a warning, with the time of the next one', async () => {
  const act = async (running: Running) => {
    const [url, headers] = [`${running.url}/_sandbox`, { 'content-type': 'application/json' }];
    const body = JSON.stringify({ endpoints: [{ url: 'http://127.0.0.1:1/' }] });
    await fetch(`${url}/webhooks/endpoints`, { method: 'PUT', headers, body });
    await pay(running, { payerReference: 'ORDER-1' });
    await fetch(`${url}/clock/advance`, { method: 'POST', headers, body: JSON.stringify({ by: 'PT15M1S' }) });
  };
  const lines = await logOf('text', act);
  expect(lines[1]).toBe(
    'INFO: payment-1 is Expired: ORDER-1, 10.00 USD on qr-wallet, at the due time, code 68, Response received too late',
  );
  expect(lines[2]).toMatch(
    /^WARN: delivery-1 not delivered: payment\.expired of payment-1 to http:\/\/127\.0\.0\.1:1\/, attempt 1: nothing listens there \(connection refused\); next attempt at 2026-/,
  );
});

it('a field that the interface does not have is logged as a warning, and named in a header', async () => {
  let warnings: string | null = null;
  const [line] = await logOf('text', async (running) => {
    warnings = (await pay(running, { colour: 'green' })).headers.get('x-sandbox-warnings');
  });
  expect(line).toMatch(/^WARN: .* 200 .*; warning: SBX-W01 \$\.colour: expected no such field/);
  expect(warnings).toContain('$.colour');
});

it.each(['text', 'json'] as const)('a control character in a request never reaches a %s log', async (format) => {
  const log = await logOf(format, async (running) => {
    await pay(running, { payerReference: 'A\u001b[31m\u009b\u202eB' });
    await pay(running, { amount: 'a\u001b]0;title\u0007' });
    await fetch(`${running.url}/\u009b31m`);
  });
  expect(log).toHaveLength(3);
  expect(log.join('')).not.toMatch(/[\p{Cc}\u202e]/u);
  expect(log[0]).toContain('A\\u001b[31m\\u009b\\u202eB');
});
