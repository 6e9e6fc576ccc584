import { join } from 'node:path';
import { runCommand } from '../run-command.ts';
import { type Sandbox, startSandbox } from '../sandbox.ts';
import { temporaryFolders } from '../temporary-folder.ts';
import { AMOUNT, receiversWithFaults, SECRET } from './receivers-with-faults.ts';

const folder = temporaryFolders()();

let sandbox: Sandbox;
let sessions = 0;
const receiverWith = receiversWithFaults();

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

interface Order {
  state: string;
  fulfilments: number;
  paidAmount: string;
}

interface Notification {
  paymentReference: string;
  status: string;
  paymentAmount: number;
}

/** The faults of a receiver. */
interface Faults {
  /** Accepts any signature, or none. */
  trusts?: boolean;
  /** Verifies the signature over JSON that it has written again. */
  rewrites?: boolean;
  /** Fulfils the order again with each notification of `Paid`. */
  repeats?: boolean;
  /** Does not compare the amount. */
  anyAmount?: boolean;
  /** Fulfils the order after any notification. */
  anyStatus?: boolean;
  /** Returns to an older state after an older notification. */
  downgrades?: boolean;
  /** Answers with it, and does nothing. */
  status?: number;
  /** Never answers. */
  hangs?: boolean;
}

function isVerified(headers: IncomingHttpHeaders, body: string): boolean {
  const [id, timestamp, given] = ['id', 'timestamp', 'signature'].map((name) => headers[`webhook-${name}`]);
  const key = Buffer.from(SECRET.replace('whsec_', ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return given === `v1,${signature}` && Math.abs(Date.now() / 1000 - Number(timestamp)) < 300;
}

function take(order: Order, { status, paymentAmount }: Notification, faults: Faults): number {
  const isPaid = status === 'Paid' || faults.anyStatus;
  if (isPaid && !faults.anyAmount && paymentAmount !== Number(AMOUNT)) {
    return 422;
  }
  if (isPaid && (order.fulfilments === 0 || faults.repeats)) {
    Object.assign(order, { state: 'paid', fulfilments: order.fulfilments + 1, paidAmount: AMOUNT });
  } else if (!isPaid && (order.fulfilments === 0 || faults.downgrades)) {
    order.state = status;
  } else if (!isPaid && !['Failed', 'Cancelled', 'Expired'].includes(status)) {
    Object.assign(order, { state: status, paidAmount: '0.00' });
  }
  return 204;
}

/** A receiver that knows orders ORDER-1, ORDER-2 and so on. */
async function receiverWith(faults: Faults = {}): Promise<{ webhookUrl: string; check: string }> {
  const orders = new Map<string, Order>();
  const known = (reference: string) => {
    const order = orders.get(reference) ?? { state: 'open', fulfilments: 0, paidAmount: '0.00' };
    orders.set(reference, order);
    return order;
  };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) {
      body += chunk;
    }
    if (request.url?.startsWith('/nothing/')) {
      response.writeHead(404).end();
    } else if (request.method === 'GET') {
      response.end(JSON.stringify(known(request.url?.split('/').at(-1) ?? '')));
    } else if (faults.status !== undefined) {
      response.writeHead(faults.status).end();
    } else if (!faults.hangs) {
      const notification = JSON.parse(body) as Notification;
      const isKnown = /^ORDER-\d+$/.test(notification.paymentReference);
      const verified = faults.rewrites ? JSON.stringify(notification) : body;
      const isGenuine = faults.trusts || isVerified(request.headers, verified);
      const status = isGenuine
        ? isKnown
          ? take(known(notification.paymentReference), notification, faults)
          : 404
        : 401;
      response.writeHead(status).end();
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  receivers.push(server);
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { webhookUrl: `${base}/webhook`, check: `${base}/orders/{reference}` };
}

async function probed(
  options: Pick<ProbeOptions, 'webhookUrl'> & Partial<ProbeOptions>,
  ...only: string[]
): Promise<Examined> {
  sessions += 1;
  return probe(
    {
      secret: SECRET,
      reference: 'ORDER-{n}',
      check: undefined,
      running: new SandboxClient({ url: sandbox.url, session: `probe-${sessions}` }),
      ...options,
    },
    {
      only: ['mobile-money', ...only],
      amount: AMOUNT,
      seed: 1,
      budgetMs: 1,
      signal: new AbortController().signal,
      keepBundle: (id) => id,
      onProgress: () => undefined,
    },
  );
}

const saidOf = ({ verdicts }: Examined, invariant: string, situation: string) =>
  verdicts.find((each) => each.invariant === invariant && each.situation === situation);

describe('with a check', () => {
  it('reports that a correct receiver handles every situation', async () => {
    const { verdicts, counts, unseen, subject } = await probed(await receiverWith());
    expect(verdicts.filter(({ verdict }) => verdict !== 'handled')).toEqual([]);
    const judged = [...new Set(verdicts.map(({ invariant }) => invariant))].toSorted();
    expect(judged).toEqual(['I1', 'I11', 'I12', 'I2', 'I4', 'I5', 'I6', 'I7', 'I8', 'I9']);
    expect(counts.handled).toBeGreaterThan(40);
    expect([subject, unseen]).toEqual(['receiver', []]);
  });

  it.each<[string, Faults, string, string]>([
    ['verifies nothing', { trusts: true }, 'I7', 'forged-signature'],
    ['takes what was altered in transit', { trusts: true, anyAmount: true }, 'I7', 'notified-tampered'],
    ['compares no amount', { anyAmount: true }, 'I7', 'forged-amount'],
    ['fulfils again with each notification', { repeats: true }, 'I2', 'notified-twice'],
    ['fulfils whatever it is told', { anyStatus: true }, 'I1', 'failed'],
    ['lets an older failure undo a payment', { downgrades: true }, 'I6', 'older-again'],
  ])('sees that a receiver %s', async (_what, faults, invariant, situation) => {
    const examined = await probed(await receiverWith(faults), situation);
    const found = saidOf(examined, invariant, situation);
    expect(found).toMatchObject({ verdict: 'violated', bundle: `${invariant}-${situation}-mobile-money` });
    const story = linesOf(found?.history ?? []).join('\n');
    expect(story).toContain('probe sends POST /sandbox/init/authenticate/merchant/wallet for ORDER-');
    expect(story).toContain('receiver answered 204');
    expect(story).toContain('check says in the end');
  });

  it('sees that a receiver verifies JSON that it has written again, which does not count yet', async () => {
    const examined = await probed(await receiverWith({ rewrites: true }), 'notified-in-other-json');
    expect(saidOf(examined, 'I9', 'notified-in-other-json')).toMatchObject({ verdict: 'violated' });
    expect(isRequired(SITUATIONS.filter(({ id }) => id === 'notified-in-other-json'))).toBe(false);
  });

  it('judges nothing by orders that were fulfilled before they were paid', async () => {
    const receiver = await receiverWith();
    await probed(receiver, 'paid');
    const { verdicts } = await probed(receiver, 'paid');
    expect(verdicts).toMatchObject([
      {
        verdict: 'inconclusive',
        note: expect.stringContaining('order ORDER-1 is already fulfilled before it is paid'),
      },
    ]);
  });

  it('judges nothing if the check fails, or knows no order', async () => {
    const { webhookUrl } = await receiverWith();
    const nowhere = `http://127.0.0.1:${await freePort()}/{reference}`;
    expect((await probed({ webhookUrl, check: nowhere }, 'paid')).verdicts).toMatchObject([
      { verdict: 'inconclusive', note: expect.stringContaining('cannot be reached') },
    ]);
    const unknowing = webhookUrl.replace('/webhook', '/nothing/{reference}');
    expect((await probed({ webhookUrl, check: unknowing }, 'paid')).verdicts).toMatchObject([
      { verdict: 'inconclusive', note: expect.stringContaining('is not fulfilled: {"state":"unknown"') },
    ]);
  });
});

describe('without a check', () => {
  it('calls handled nothing but acknowledgements', async () => {
    const { webhookUrl } = await receiverWith();
    const { verdicts, unseen } = await probed({ webhookUrl });
    expect(unseen.join(' ')).toContain('--check');
    expect([...new Set(verdicts.map(({ invariant, verdict }) => `${invariant} ${verdict}`))].toSorted()).toEqual([
      'I7 inconclusive',
      'I9 handled',
    ]);
  });

  it('reports the answer to a forgery, and the order to look at', async () => {
    const forgery = async (faults: Faults) => {
      const { webhookUrl } = await receiverWith(faults);
      return saidOf(await probed({ webhookUrl }, 'forged-unsigned'), 'I7', 'forged-unsigned');
    };
    expect((await forgery({}))?.note).toMatch(/refused it \(401\)/);
    expect(await forgery({ trusts: true })).toMatchObject({
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
])('sees that each genuine notification is answered with %s', async (_what, status, words, isHelped) => {
  const { verdicts, counts } = await probed(await receiverWith({ status }));
  expect(verdicts).toMatchObject([{ id: 'I9-paid-mobile-money', verdict: 'violated' }]);
  expect(counts.violated).toBe(1);
  const story = verdicts[0]?.history.map(({ text }) => text).join('\n') ?? '';
  expect(story).toMatch(words);
  expect(story.includes('--secret')).toBe(isHelped);
  // After its subject, each step begins with a verb.
  for (const { text } of verdicts[0]?.history ?? []) {
    expect(text).toMatch(/^[a-z]+s\b/);
  }
});

it('sees that a receiver never answers, and does not wait for it again and again', async () => {
  const { verdicts, cases } = await probed(await receiverWith({ hangs: true }));
  expect(verdicts).toMatchObject([{ invariant: 'I9', verdict: 'violated' }]);
  expect(verdicts[0]?.history.filter(({ text }) => text.includes('no answer within'))).toHaveLength(1);
  expect(cases).toBe(3);
});

it.each(['', ' '])('signs with a secret that is not empty where %j is given', (secret) => {
  expect(receiverOf('http://127.0.0.1:1', { secret }, undefined).secret).toMatch(/^whsec_.{32}/);
});

describe('the command', () => {
  async function run(...args: string[]) {
    sessions += 1;
    const session = ['--url', sandbox.url, '--session', `probe-${sessions}`, '--bundles', join(folder, 'bundles')];
    const most = ['--secret', SECRET, '--reference', 'ORDER-{n}', '--amount', AMOUNT, '--budget', '1ms'];
    return runCommand(['probe', ...args, ...most, ...session]);
  }

  it('ends with 0 for a receiver that is right, and with 1 for one that is not', async () => {
    const right = await receiverWith();
    const only = ['--only', 'forged-signature,mobile-money'];
    expect(await run(right.webhookUrl, '--check', right.check, ...only)).toMatchObject({ code: 0 });
    const wrong = await receiverWith({ trusts: true });
    const { code, stdout } = await run(wrong.webhookUrl, '--check', wrong.check, ...only);
    expect([code, stdout]).toEqual([1, expect.stringContaining('VIOLATED I7')]);
  });

  it('stores a bundle of the refused notifications, which can be opened', async () => {
    const { webhookUrl } = await receiverWith({ status: 500 });
    expect(await run(webhookUrl, '--only', 'mobile-money')).toMatchObject({ code: 1 });
    const text = readFileSync(join(folder, 'bundles', 'I9-paid-mobile-money.bundle'), 'utf8');
    const opened = await openSession(text);
    const { items } = await opened.session.deliveries();
    expect(items.at(-1)?.attempts[0]).toMatchObject({ status: 500 });
    await opened.sandbox.close();
  });

  it('writes the secret into no file', async () => {
    const wrong = await receiverWith({ trusts: true });
    const files = join(folder, 'files');
    const reports = ['json', 'html', 'junit'].flatMap((kind) => [`--${kind}`, join(files, kind)]);
    const check = wrong.check.replace('orders', `orders/${SECRET}/${encodeURIComponent(SECRET)}`);
    const only = ['--only', 'forged-signature,mobile-money', '--bundles', join(files, 'bundles')];
    const environment = { GITHUB_STEP_SUMMARY: join(files, 'summary.md') };
    const args = ['probe', wrong.webhookUrl, '--check', check, '--reference', 'ORDER-{n}', '--amount', AMOUNT];
    const where = ['--url', sandbox.url, '--session', 'probe-for-files', '--budget', '1ms'];
    const { code, stdout } = await runProgram(
      [...args, '--secret', SECRET, ...only, ...reports, ...where],
      environment,
    );
    expect([code, stdout]).toEqual([1, expect.stringContaining('VIOLATED I7')]);
    const written = readdirSync(files, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
    const id = 'I7-forged-signature-mobile-money';
    expect(written.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['json', 'html', 'junit', 'summary.md', `${id}.bundle`, `${id}.test.mjs`]),
    );
    for (const { parentPath, name } of written) {
      const text = readFileSync(join(parentPath, name), 'utf8');
      expect([name, text.includes(SECRET), text.includes(encodeURIComponent(SECRET))]).toEqual([name, false, false]);
    }
    const test = readFileSync(join(files, 'bundles', `${id}.test.mjs`), 'utf8');
    expect(test).toContain('const SECRET = process.env.WEBHOOK_SECRET;');
    expect(test).toContain('/orders/" + SECRET + "/" + encodeURIComponent(SECRET) + "/{reference}');
  });

  it('reports the answer to several forgeries once, with the order of each', async () => {
    const { webhookUrl } = await receiverWith({ trusts: true });
    const { code, stdout } = await run(webhookUrl, '--only', 'forged-unsigned,forged-signature,mobile-money');
    expect(code).toBe(2);
    expect(stdout.match(/the receiver answered 204/g)).toHaveLength(1);
    expect(stdout).toMatch(
      /^ {2}I7-forged-signature-mobile-money \(order ORDER-\d+\), I7-forged-unsigned-mobile-money \(order ORDER-\d+\)$/m,
    );
  });

  it('ends with 2 if the result is inconclusive, with the reason', async () => {
    const { webhookUrl } = await receiverWith();
    const unseen = await run(webhookUrl, '--only', 'forged-signature,mobile-money');
    expect([unseen.code, unseen.stdout]).toEqual([2, expect.stringContaining('only the answers of the receiver')]);
    const address = `http://127.0.0.1:${await freePort()}/webhook`;
    const away = await run(address);
    expect([away.code, away.stdout]).toEqual([2, expect.stringContaining(`no receiver is listening at ${address}`)]);
    expect(away.stdout).toContain('1 inconclusive');
  });

  it.each([
    ['an invalid address', ['localhost'], /the receiver must be a URL such as/],
    ['a reference of other characters', ['http://127.0.0.1:1/', '--reference', '$(x)'], /a reference can have letters/],
    ['a check without a place for the reference', ['http://127.0.0.1:1/', '--check', 'cat'], /\{reference\}/],
    ['a situation that a receiver has no part in', ['http://127.0.0.1:1/', '--only', 'answer-lost'], /there is no/],
    ['an invariant that only a check shows', ['http://127.0.0.1:1/', '--only', 'I2'], /there is no .* I2/],
    ['an invalid amount', ['http://127.0.0.1:1/', '--amount', '10'], /--amount takes an amount such as 10.00/],
    ['an address that must not be called', ['http://169.254.169.254/'], /never called/],
  ])('refuses %s', async (_what, args, words) => {
    const { code, stderr } = await runCommand(['probe', ...args, '--url', sandbox.url, '--session', 'refused']);
    expect(stderr).toMatch(words);
    expect(code).toBe(2);
  });
});
