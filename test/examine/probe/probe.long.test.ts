import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SandboxClient } from '../../../src/client/client.ts';
import { receiverOf } from '../../../src/examine/commands/probe.ts';
import type { ExaminationResult } from '../../../src/examine/examination-result.ts';
import { linesOf } from '../../../src/examine/observation/story.ts';
import { type ProbeOptions, probe } from '../../../src/examine/probe/probe.ts';
import { SITUATIONS } from '../../../src/examine/situations/situations.ts';
import { isRequired } from '../../../src/examine/verdicts/requirements.ts';
import { freePort, runProgram } from '../../running.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';
import { openSession } from '../../server/app/open-bundle.ts';
import { temporaryFolders } from '../../temporary-folder.ts';
import { AMOUNT, type Faults, receiversWithFaults, SECRET } from '../receivers-with-faults.ts';

const folder = temporaryFolders()();

let sandbox: Sandbox;
let sessions = 0;
const receiverWith = receiversWithFaults();

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

async function runProbe(
  options: Pick<ProbeOptions, 'webhookUrl'> & Partial<ProbeOptions>,
  ...only: string[]
): Promise<ExaminationResult> {
  sessions += 1;
  return probe(
    {
      secret: SECRET,
      reference: 'ORDER-{n}',
      check: undefined,
      runningSandbox: new SandboxClient({ url: sandbox.url, session: `probe-${sessions}` }),
      ...options,
    },
    {
      only: ['mobile-money', ...only],
      amount: AMOUNT,
      seed: 1,
      budgetMs: 1,
      signal: new AbortController().signal,
      writeBundle: (id) => id,
      onProgress: () => undefined,
    },
  );
}

const findingOf = ({ verdicts }: ExaminationResult, invariant: string, situation: string) =>
  verdicts.find((each) => each.invariant === invariant && each.situation === situation);

describe('with a check', () => {
  it('a correct receiver handles every situation', async () => {
    const { verdicts, counts, unseen, subject } = await runProbe(await receiverWith());
    expect(verdicts.filter(({ verdict }) => verdict !== 'handled')).toEqual([]);
    const judged = [...new Set(verdicts.map(({ invariant }) => invariant))].toSorted();
    expect(judged).toEqual(['I1', 'I11', 'I12', 'I13', 'I2', 'I4', 'I5', 'I6', 'I7', 'I8', 'I9']);
    expect(counts.handled).toBeGreaterThan(40);
    expect([subject, unseen]).toEqual(['receiver', []]);
  });

  it.each<[string, Faults, string, string]>([
    ['verifies nothing', { acceptsAnySignature: true }, 'I7', 'forged-signature'],
    [
      'accepts notifications altered in transit',
      { acceptsAnySignature: true, acceptsAnyAmount: true },
      'I7',
      'notified-tampered',
    ],
    ['compares no amount', { acceptsAnyAmount: true }, 'I7', 'forged-amount'],
    ['compares no currency', { acceptsAnyCurrency: true }, 'I7', 'forged-currency'],
    ['fulfils again with each notification', { fulfilsAgain: true }, 'I2', 'notified-twice'],
    ['fulfils after any notification', { fulfilsAnyStatus: true }, 'I1', 'failed'],
    ['lets an older failure undo a payment', { downgrades: true }, 'I6', 'older-again'],
  ])('the probe detects that a receiver %s', async (_what, faults, invariant, situation) => {
    const examined = await runProbe(await receiverWith(faults), situation);
    const found = findingOf(examined, invariant, situation);
    expect(found).toMatchObject({ verdict: 'violated', bundle: `${invariant}-${situation}-mobile-money` });
    const story = linesOf(found?.history ?? []).join('\n');
    expect(story).toContain('probe sends POST /sandbox/init/authenticate/merchant/wallet for ORDER-');
    expect(story).toContain('receiver answered 204');
    expect(story).toContain('check says in the end');
  });

  it('the probe detects that a receiver verifies re-encoded JSON, but the requirements do not count it yet', async () => {
    const examined = await runProbe(await receiverWith({ verifiesReencodedJson: true }), 'notified-in-other-json');
    expect(findingOf(examined, 'I9', 'notified-in-other-json')).toMatchObject({ verdict: 'violated' });
    expect(
      isRequired(
        SITUATIONS.filter(({ id }) => id === 'notified-in-other-json'),
        'I9',
      ),
    ).toBe(false);
  });

  it('the verdict on an order that was fulfilled before it was paid is inconclusive', async () => {
    const receiver = await receiverWith();
    await runProbe(receiver, 'paid');
    const { verdicts } = await runProbe(receiver, 'paid');
    expect(verdicts).toMatchObject([
      {
        verdict: 'inconclusive',
        note: expect.stringContaining('order ORDER-1 is already fulfilled before it is paid'),
      },
    ]);
  });

  it('the verdict is inconclusive if the check fails, or does not find an order', async () => {
    const { webhookUrl } = await receiverWith();
    const nowhere = `http://127.0.0.1:${await freePort()}/{reference}`;
    expect((await runProbe({ webhookUrl, check: nowhere }, 'paid')).verdicts).toMatchObject([
      { verdict: 'inconclusive', note: expect.stringContaining('cannot be reached') },
    ]);
    const checkWithoutOrders = webhookUrl.replace('/webhook', '/nothing/{reference}');
    expect((await runProbe({ webhookUrl, check: checkWithoutOrders }, 'paid')).verdicts).toMatchObject([
      { verdict: 'inconclusive', note: expect.stringContaining('has no such order afterwards') },
    ]);
  });
});

describe('without a check', () => {
  it('only I7 and I9 are judged, and a correct receiver handles both', async () => {
    const { webhookUrl } = await receiverWith();
    const { verdicts, unseen } = await runProbe({ webhookUrl });
    expect(unseen.join(' ')).toContain('--check');
    expect([...new Set(verdicts.map(({ invariant, verdict }) => `${invariant} ${verdict}`))].toSorted()).toEqual([
      'I7 handled',
      'I9 handled',
    ]);
  });

  it('the answer to a forgery is reported, with the order to inspect', async () => {
    const forgery = async (faults: Faults) => {
      const { webhookUrl } = await receiverWith(faults);
      return findingOf(await runProbe({ webhookUrl }, 'forged-unsigned'), 'I7', 'forged-unsigned');
    };
    expect((await forgery({}))?.verdict).toBe('handled');
    expect(await forgery({ acceptsAnySignature: true })).toMatchObject({
      note: expect.stringMatching(
        /answered 204 and did not query the status .* the order was fulfilled, or use --check/,
      ),
      orderId: expect.stringMatching(/^ORDER-\d+$/),
    });
  });
});

it.each([
  ['an error', 500, /receiver answered 500/, false],
  ['a refusal', 401, /receiver answered 401/, true],
])(
  'a receiver that answers each genuine notification with %s violates I9',
  async (_what, status, words, suggestsSecret) => {
    const { verdicts, counts } = await runProbe(await receiverWith({ status }));
    expect(verdicts).toMatchObject([{ id: 'I9-paid-mobile-money', verdict: 'violated' }]);
    expect(counts.violated).toBe(1);
    const story = verdicts[0]?.history.map(({ text }) => text).join('\n') ?? '';
    expect(story).toMatch(words);
    expect(story.includes('--secret')).toBe(suggestsSecret);
    // After its subject, each step begins with a verb.
    for (const { text } of verdicts[0]?.history ?? []) {
      expect(text).toMatch(/^[a-z]+s\b/);
    }
  },
);

it('the verdict on a receiver that answers 404 is inconclusive, because it may not know the orders', async () => {
  const { verdicts, counts, cases } = await runProbe(await receiverWith({ status: 404 }));
  expect(cases).toBe(3);
  expect(verdicts).toMatchObject([
    { id: 'I9-paid-mobile-money', verdict: 'inconclusive', note: expect.stringContaining('use --reference') },
  ]);
  expect(counts.violated).toBe(0);
});

it.each<[string, Faults]>([
  ['never answers', { hangs: true }],
  ['answers only the second attempt', { hangsFirst: true }],
])('a receiver that %s is reported, and waited for only once', async (_what, faults) => {
  const { verdicts, cases } = await runProbe(await receiverWith(faults));
  expect(verdicts).toMatchObject([{ invariant: 'I9', verdict: 'violated' }]);
  expect(verdicts[0]?.history.filter(({ text }) => text.includes('no answer within'))).toHaveLength(1);
  expect(cases).toBe(3);
});

it.each(['', ' '])('notifications are signed with a non-empty secret if the given one is %j', (secret) => {
  expect(receiverOf('http://127.0.0.1:1', { secret }, undefined).secret).toMatch(/^whsec_.{32}/);
});

describe('the command probe', () => {
  async function run(...args: string[]) {
    sessions += 1;
    const session = ['--url', sandbox.url, '--session', `probe-${sessions}`, '--bundles', join(folder, 'bundles')];
    const common = ['--secret', SECRET, '--reference', 'ORDER-{n}', '--amount', AMOUNT, '--budget', '1ms'];
    return runProgram(['probe', ...args, ...common, ...session]);
  }

  it('stores a bundle of the refused notifications, which can be opened', async () => {
    const { webhookUrl } = await receiverWith({ status: 500 });
    expect(await run(webhookUrl, '--only', 'mobile-money')).toMatchObject({ code: 1 });
    const text = readFileSync(join(folder, 'bundles', 'I9-paid-mobile-money.bundle'), 'utf8');
    const opened = await openSession(text);
    const { items } = await opened.session.deliveries();
    expect(items.at(-1)?.attempts[0]).toMatchObject({ status: 500 });
    await opened.sandbox.close();
  });

  it('does not write the secret to any file', async () => {
    const faulty = await receiverWith({ acceptsAnySignature: true });
    const files = join(folder, 'files');
    const reports = ['json', 'html', 'junit'].flatMap((kind) => [`--${kind}`, join(files, kind)]);
    const check = faulty.check.replace('orders', `orders/${SECRET}/${encodeURIComponent(SECRET)}`);
    const only = ['--only', 'forged-signature,mobile-money', '--bundles', join(files, 'bundles')];
    const environment = { GITHUB_STEP_SUMMARY: join(files, 'summary.md') };
    const args = ['probe', faulty.webhookUrl, '--check', check, '--reference', 'ORDER-{n}', '--amount', AMOUNT];
    const where = ['--url', sandbox.url, '--session', 'probe-for-files', '--budget', '1ms'];
    const { code, stdout } = await runProgram(
      [...args, '--secret', SECRET, ...only, ...reports, ...where],
      environment,
    );
    expect([code, stdout]).toEqual([1, expect.stringContaining('VIOLATED I7')]);
    const written = readdirSync(files, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
    const id = 'I7-forged-signature-mobile-money';
    expect(written.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['json', 'html', 'junit', 'summary.md', `${id}.bundle`, 'probe.test.mjs']),
    );
    for (const { parentPath, name } of written) {
      const text = readFileSync(join(parentPath, name), 'utf8');
      expect([name, text.includes(SECRET), text.includes(encodeURIComponent(SECRET))]).toEqual([name, false, false]);
    }
    const test = readFileSync(join(files, 'bundles', 'probe.test.mjs'), 'utf8');
    expect(test).toContain('const SECRET = process.env.WEBHOOK_SECRET;');
    expect(test).toContain('/orders/" + SECRET + "/" + encodeURIComponent(SECRET) + "/{reference}');
  });

  it('reports the answer to several forgeries once, with the order of each', async () => {
    const { webhookUrl } = await receiverWith({ acceptsAnySignature: true });
    const { code, stdout } = await run(webhookUrl, '--only', 'forged-unsigned,forged-signature,mobile-money');
    expect(code).toBe(2);
    expect(stdout.match(/the receiver answered 204/g)).toHaveLength(1);
    expect(stdout).toMatch(
      /^ {2}I7-forged-signature-mobile-money \(order ORDER-\d+\), I7-forged-unsigned-mobile-money \(order ORDER-\d+\)$/m,
    );
  });

  it('has the exit code 2 only if the result is inconclusive, and prints the reason', async () => {
    const trusting = await receiverWith({ acceptsAnySignature: true });
    const accepted = await run(trusting.webhookUrl, '--only', 'forged-signature,mobile-money');
    expect([accepted.code, accepted.stdout]).toEqual([2, expect.stringContaining('only the answers of the receiver')]);
    const { webhookUrl } = await receiverWith();
    const refused = await run(webhookUrl, '--only', 'forged-signature,mobile-money');
    expect([refused.code, refused.stdout]).toEqual([0, expect.stringContaining('only the answers of the receiver')]);
    const address = `http://127.0.0.1:${await freePort()}/webhook`;
    const unreachable = await run(address);
    expect([unreachable.code, unreachable.stdout]).toEqual([
      2,
      expect.stringContaining(`no receiver is listening at ${address}`),
    ]);
    expect(unreachable.stdout).toContain('1 inconclusive');
  });
});
