import type { Options } from '../../command/command.ts';
import { DEFAULT_ADAPTER } from '../../examine/commands/examine.ts';
import { prepareShop } from '../../examine/commands/examiner.ts';
import { receiverOf } from '../../examine/commands/probe.ts';
import { describeProgress } from '../../examine/commands/progress.ts';
import { DEFAULT_BUNDLES, parseOptions } from '../../examine/commands/run-examination.ts';
import { digestOf } from './examination-digest.ts';
import { arrayOf, createTool, objectOf, type ToolCallContext } from './tool.ts';

/** The session in which a receiver queries statuses during a probe. */
const PROBE_SESSION = 'probe';

const text = (description: string) => ({ type: 'string', minLength: 1, description });

const EXAMINATION = {
  only: text(
    'check only these invariants, situations or channels, such as I2,forged-signature,mobile-money (default: all)',
  ),
  budget: text('time for trying combinations, such as 30s; each single situation is always tried (default 60s)'),
  amount: text('amount of every order, such as 10.00 (default: a random one for each)'),
  seed: { type: 'integer', minimum: 1, description: 'seed of random amounts and combinations (default 1)' },
  bundles: text(`folder for bundles of violations (default ${DEFAULT_BUNDLES})`),
};

interface GivenExamination {
  only?: string;
  budget?: string;
  amount?: string;
  seed?: number;
  bundles?: string;
}

const DIGEST = objectOf({
  counts: { type: 'object', description: 'number of each verdict' },
  violated: arrayOf(
    objectOf({
      id: text('invariant'),
      sentence: text('what must hold'),
      mend: text('how to fix it'),
      story: arrayOf(text('step')),
    }),
  ),
  untold: arrayOf(objectOf({ verdict: text('verdict'), why: text('reason') })),
  orders: { type: 'integer' },
  seed: { type: 'integer' },
});

const RESULT_DESCRIPTION =
  'Returns the number of each verdict, every violated invariant (why it matters, how to fix it, the shortest history, its bundle), and what is inconclusive and why. This can take minutes; `only` makes it faster.';

export const EXAMINE_TOOL = createTool<GivenExamination & { adapter?: string; command?: string; app?: string }>({
  name: 'examine_shop',
  title: 'Examine a shop',
  description: `Places orders in a shop through its adapter (docs/examine.md), disturbs its requests and notifications, and checks invariants against the final state on both sides. ${RESULT_DESCRIPTION}`,
  properties: {
    adapter: text(`adapter, which places orders and reports their state (default ${DEFAULT_ADAPTER})`),
    command: text(
      'command that starts the shop, with its own sandbox; the shop is stopped after the examination. Without it, the shop must be running and use this session, in a sandbox started with --ids differ',
    ),
    app: text("address of the shop (default: the adapter's)"),
    ...EXAMINATION,
  },
  output: DIGEST,
  effect: 'destructive',
  async run(client, { adapter = DEFAULT_ADAPTER, ...args }, context) {
    const options = asOptions(args);
    const request = { ...parseOptions(options), ...signalAndProgress(context) };
    const runningSandbox = args.command === undefined ? client : undefined;
    const shop = await prepareShop(adapter, options, { runningSandbox, signal: context.signal });
    try {
      const examination = await shop.createExamination(request);
      return digestOf(await unlessAborted(examination.run(), context));
    } finally {
      await shop.close();
    }
  },
});

export const PROBE_TOOL = createTool<
  GivenExamination & { webhookUrl: string; secret?: string; reference?: string; check?: string }
>({
  name: 'probe_receiver',
  title: 'Examine a webhook receiver',
  description: `Makes the payments itself, and sends a webhook receiver genuine, repeated, late, altered and forged notifications. A receiver that queries the status must do so in session ${PROBE_SESSION}. ${RESULT_DESCRIPTION}`,
  properties: {
    webhookUrl: { type: 'string', pattern: '^https?://', description: 'URL of the receiver' },
    secret: text("secret that signs notifications (default: the variable WEBHOOK_SECRET, else the examination's own)"),
    reference: text('reference of each order; {n} is replaced by a counter, as in ORDER-{n}'),
    check: text(
      'URL or command, with {reference} in it, that returns { state, fulfilments, paidAmount } of an order as JSON; without it, only the answers of the receiver are checked',
    ),
    ...EXAMINATION,
  },
  required: ['webhookUrl'],
  output: DIGEST,
  effect: 'destructive',
  async run(client, { webhookUrl, ...args }, context) {
    const { probe } = await import('../../examine/probe/probe.ts');
    const options = asOptions(args);
    const receiver = receiverOf(webhookUrl, options, client.inSession(PROBE_SESSION));
    return digestOf(
      await unlessAborted(probe(receiver, { ...parseOptions(options), ...signalAndProgress(context) }), context),
    );
  },
});

/** The arguments as options of a command, which are texts. */
function asOptions(args: object): Options {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, String(value)]));
}

/** Rejects as soon as the agent cancels the call. Otherwise the shop would run until the current order ends, which may take a minute. */
function unlessAborted<Result>(result: Promise<Result>, context: ToolCallContext): Promise<Result> {
  const aborted = new Promise<never>((_, reject) => {
    const rejectNow = () => reject(context.signal.reason);
    if (context.signal.aborted) {
      rejectNow();
    }
    context.signal.addEventListener('abort', rejectNow, { once: true });
  });
  return Promise.race([result, aborted]);
}

function signalAndProgress(context: ToolCallContext) {
  return {
    signal: context.signal,
    onProgress: (progress: Parameters<typeof describeProgress>[0]) => context.onProgress(describeProgress(progress)),
  };
}
