import { runCommand } from '../run-command.ts';
import { type Sandbox, startSandbox } from '../sandbox.ts';
import { pay } from '../server/payer-pages/visits.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ now: Date.parse('2026-03-01T10:00:00.000Z') });
});
beforeEach(() => sandbox.client.reset());
afterAll(() => sandbox.close());

const settle = (...words: string[]) => runCommand(['settle', ...words, '--url', sandbox.url]);
const states = async () => (await sandbox.client.payments()).items.map(({ id, state }) => `${id} ${state}`);

describe('settle with a reference that several payments share', () => {
  beforeEach(async () => {
    for (const payerReference of ['ORDER-1', 'ORDER-1', 'order-1']) {
      await pay(sandbox.client, { payerReference });
    }
  });

  it('refuses to choose between payments that are Processing, and names their ids', async () => {
    expect(await settle('ORDER-1', 'Paid')).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'merchant-sandbox: 2 of 2 payments with the reference ORDER-1 are Processing; name one by its id: payment-2, payment-1\n',
    });
    expect(await states()).toEqual(['payment-3 Processing', 'payment-2 Processing', 'payment-1 Processing']);
  });

  it('settles the only one that is Processing, even if a newer one is decided, and reports its choice', async () => {
    await settle('payment-2', 'Failed');
    const { code, stdout } = await settle('ORDER-1', 'Paid');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /\npayment-1 +Paid .*\npayment-1 is the only one of 2 payments with the reference ORDER-1 that was Processing\.\n$/,
    );
    expect(await states()).toEqual(['payment-3 Processing', 'payment-2 Failed', 'payment-1 Paid']);
  });

  it('prints the note on standard error with --json', async () => {
    await settle('payment-2', 'Failed');
    const { stdout, stderr } = await settle('ORDER-1', 'Paid', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ id: 'payment-1', state: 'Paid' });
    expect(stderr).toMatch(/^payment-1 is the only one of 2 payments/);
  });

  it('is refused for the newest of them if all are decided', async () => {
    await settle('payment-1', 'Paid');
    await settle('payment-2', 'Failed');
    expect(await settle('ORDER-1', 'Paid')).toMatchObject({
      code: 1,
      stderr:
        'merchant-sandbox: payment-2 is Failed and cannot become Paid by hand; scenario late-success pays such payments late\n',
    });
  });
});

it('settle adds no note if only one payment has the reference', async () => {
  await pay(sandbox.client, { payerReference: 'ORDER-1' });
  expect((await settle('ORDER-1', 'Paid')).stdout).not.toContain('reference ORDER-1');
});
