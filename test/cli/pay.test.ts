import { qrLines } from '../../src/base/qr-image.ts';
import { runCommand } from '../run-command.ts';
import { type Sandbox, startSandbox } from '../sandbox.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ now: Date.parse('2026-03-01T10:00:00.000Z') });
});
beforeEach(() => sandbox.client.reset());
afterAll(() => sandbox.close());

const pay = (...args: string[]) => runCommand(['pay', ...args, '--url', sandbox.url]);

describe('pay', () => {
  it('makes a payment as an integration would, and shows the call, the answer and the next step', async () => {
    const { code, stdout } = await pay();
    expect(code).toBe(0);
    const lines = stdout.split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        `POST ${sandbox.url}/sandbox/init/authenticate/merchant/wallet`,
        '  merchantKey         ***',
        '  payerReference      ORDER-1001',
        '  paymentTokenDescription   Request successful',
        expect.stringMatching(/^ {2}paymentQrCode {13}PNG image, 300 × 300 pixels \(\d+ characters of base64\)$/),
        'payment-1 is Processing.',
        `Or settle it: merchant-sandbox settle payment-1 Paid --url ${sandbox.url}`,
      ]),
    );
    const { paymentCode } = await sandbox.client.payment('payment-1');
    const page = `${sandbox.url}/pay/approve/${paymentCode}`;
    expect(stdout).toContain(`As the payer: ${page}`);
    expect(stdout).toContain(qrLines(page)[5]);
    expect((await fetch(page)).status).toBe(200);
  });

  it('creates its session', async () => {
    expect(await pay('--session', 'new-one')).toMatchObject({ code: 0, stderr: '' });
    expect((await sandbox.client.inSession('new-one').payments()).items).toMatchObject([
      { payerReference: 'ORDER-1001' },
    ]);
  });

  it('gives each payment a different reference', async () => {
    await pay();
    await pay();
    const { items } = await sandbox.client.list('payments');
    expect(items.map(({ payerReference }) => payerReference)).toEqual(['ORDER-1002', 'ORDER-1001']);
  });

  it.each([
    ['qr-wallet', 'WALLET_QR', null],
    ['mobile-money', 'WALLET_MOBILE', '263770000001'],
    ['card-switch', 'WALLET_SWITCH', null],
    ['card-network-a', 'WALLET_CARD_A', null],
    ['WALLET_CARD_B', 'WALLET_CARD_B', null],
  ])('pays by %s', async (channel, walletName, payerMobile) => {
    const { stdout } = await pay('--channel', channel, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ walletName, payerMobile, amount: '10.00', state: 'Processing' });
  });

  it('settles the payment, and shows its notification', async () => {
    await sandbox.client.setEndpoints([{ url: 'sandbox:catch' }]);
    const { stdout } = await pay('ORDER-7', '--amount', '12', '--outcome', 'paid');
    expect(stdout).toContain('payment-1 is Paid.');
    expect(stdout).toMatch(/^delivery-1 +\w+ +payment\.paid +sandbox:catch$/m);
    expect(stdout).not.toContain('Or settle it');
    expect(await sandbox.client.payment('ORDER-7')).toMatchObject({ amount: '12.00', state: 'Paid' });
  });

  it('splits the amount', async () => {
    await pay('--split', 'M-1001=40,M-1002=60');
    const { shares } = await sandbox.client.payment('payment-1');
    expect(shares.map(({ merchantId, amount }) => [merchantId, amount])).toEqual([
      ['M-1001', '4.00'],
      ['M-1002', '6.00'],
    ]);
  });

  it('shows a refused call with its errors, and has the exit code 1', async () => {
    const { code, stdout } = await pay('--amount', '1.234');
    expect(code).toBe(1);
    expect(stdout).toContain('^ expected a decimal with two places, e.g. "10.00", received string "1.234"');
  });

  it('reports that a fault of the scenario may have prevented the answer', async () => {
    await sandbox.client.defineScenario({
      name: 'no-answer',
      description: '',
      rules: [{ fault: { kind: 'reset', at: 'arrival' } }],
    });
    await sandbox.client.useScenario('no-answer');
    const { code, stderr } = await pay();
    expect(code).toBe(1);
    expect(stderr).toContain(
      'the payment request got no answer (the connection was closed). A fault of the scenario can do that',
    );
  });

  it.each([
    ['empty-body', '  no body'],
    ['malformed-body', '  {"status":"Success",'],
  ] as const)('shows the answer as it is after the fault %s', async (kind, line) => {
    const rules = [{ fault: { kind, at: 'after' } } as const];
    await sandbox.client.defineScenario({ name: 'spoiled-answer', description: '', rules });
    await sandbox.client.useScenario('spoiled-answer');
    const { code, stdout } = await pay();
    expect(code).toBe(0);
    expect(stdout.split('\n').some((each) => each.startsWith(line))).toBe(true);
    expect(stdout).toContain('payment-1 is Processing.');
  });

  it.each([
    [['--channel', 'qr-walet'], 'there is no channel qr-walet, did you mean qr-wallet\\?\n'],
    [['--outcome', 'Maybe'], '--outcome takes Paid, Failed, Cancelled, Expired, not Maybe'],
    [['--split', 'M-1001'], '--split takes merchants with their percentages'],
  ])('refuses %j', async (words, message) => {
    const { code, stderr } = await pay(...words);
    expect(code).toBe(2);
    expect(stderr).toMatch(new RegExp(message));
    expect((await sandbox.client.list('payments')).items).toEqual([]);
  });
});
