import { join } from 'node:path';
import { runCommand } from '../../run-command.ts';
import { runProgram } from '../../running.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';
import { temporaryFolders } from '../../temporary-folder.ts';
import { AMOUNT, receiversWithFaults, SECRET } from '../receivers-with-faults.ts';

const folder = temporaryFolders()();

let sandbox: Sandbox;
let sessions = 0;
const receiverWith = receiversWithFaults();

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

describe('the command probe', () => {
  async function run(...args: string[]) {
    sessions += 1;
    const session = ['--url', sandbox.url, '--session', `probe-${sessions}`, '--bundles', join(folder, 'bundles')];
    const common = ['--secret', SECRET, '--reference', 'ORDER-{n}', '--amount', AMOUNT, '--budget', '1ms'];
    return runCommand(['probe', ...args, ...common, ...session]);
  }

  it('has the exit code 0 for a correct receiver, and 1 for a faulty one', async () => {
    const correct = await receiverWith();
    const only = ['--only', 'forged-signature,mobile-money'];
    expect(await run(correct.webhookUrl, '--check', correct.check, ...only)).toMatchObject({ code: 0 });
    const faulty = await receiverWith({ acceptsAnySignature: true });
    const { code, stdout } = await run(faulty.webhookUrl, '--check', faulty.check, ...only);
    expect([code, stdout]).toEqual([1, expect.stringContaining('VIOLATED I7')]);
  });

  it.each([
    ['an invalid address', ['localhost'], /the receiver must be a URL such as/],
    [
      'a reference with forbidden characters',
      ['http://127.0.0.1:1/', '--reference', '$(x)'],
      /a reference can have letters/,
    ],
    ['a check without {reference}', ['http://127.0.0.1:1/', '--check', 'cat'], /\{reference\}/],
    ['a situation that does not concern a receiver', ['http://127.0.0.1:1/', '--only', 'answer-lost'], /there is no/],
    ['an invariant that only a check shows', ['http://127.0.0.1:1/', '--only', 'I2'], /there is no .* I2/],
    ['an invalid amount', ['http://127.0.0.1:1/', '--amount', '10'], /--amount takes an amount such as 10.00/],
    ['an address that must not be called', ['http://169.254.169.254/'], /never called/],
  ])('refuses %s', async (_what, args, words) => {
    const { code, stderr } = await runCommand(['probe', ...args, '--url', sandbox.url, '--session', 'refused']);
    expect(stderr).toMatch(words);
    expect(code).toBe(2);
  });
});

it('two probes can run at once without --url, because each has its own port', async () => {
  const receivers = [await receiverWith(), await receiverWith()];
  const only = ['--only', 'forged-signature,mobile-money', '--bundles', join(folder, 'bundles')];
  const common = ['--secret', SECRET, '--reference', 'ORDER-{n}', '--amount', AMOUNT, '--budget', '1ms'];
  const ended = await Promise.all(
    receivers.map(({ webhookUrl }) => runProgram(['probe', webhookUrl, ...common, ...only])),
  );
  expect(ended.map(({ code }) => code)).toEqual([0, 0]);
});
