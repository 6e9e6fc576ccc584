import type { SandboxClient } from '../../client/client.ts';
import { DEFAULT_BUNDLES, wantedOf } from '../../examine/commands/examination.ts';
import { DEFAULT_ADAPTER } from '../../examine/commands/examine.ts';
import { shopOf } from '../../examine/commands/examiner.ts';
import { receiverOf } from '../../examine/commands/probe.ts';
import { wordsOf } from '../../examine/commands/progress.ts';
import { digestOf } from './examination-digest.ts';
import { type TextTool, text, toolsFrom } from './text-tools.ts';
import type { Tool, ToolCallContext } from './tools.ts';

/** The session by which a receiver asks where a probe is under way. */
const PROBE_SESSION = 'probe';

const EXAMINATION = {
  only: text(
    'check only these invariants, situations or channels, such as I2,forged-signature,mobile-money (default: all)',
  ),
  budget: text('time for trying combinations, such as 30s; each single situation is tried in any case (default 60s)'),
  amount: text('amount of every order, such as 10.00 (default: a random one for each)'),
  seed: text('seed of random amounts and combinations, an integer (default 1)'),
  bundles: text(`folder for bundles of violations (default ${DEFAULT_BUNDLES})`),
};

/** What both say first. */
const ANSWER =
  'Returns the number of each verdict, every violated invariant (why it matters, how to fix it, the shortest history, its bundle), and what is inconclusive and why. This can take minutes; `only` makes it faster.';

/** THE TABLE of tools that grade an integration. */
const ROWS: readonly TextTool[] = [
  {
    name: 'examine_shop',
    title: 'Examine a shop',
    description: `Places orders in a shop through its adapter (docs/examine.md), disturbs its requests and notifications, and checks fifteen invariants against the final state on both sides. ${ANSWER}`,
    properties: {
      adapter: text(`adapter, which places orders and reports their state (default ${DEFAULT_ADAPTER})`),
      command: text(
        'command that starts the shop, with its own sandbox; the shop is stopped after the examination. Without it, the shop must be running and use this session, in a sandbox started with --ids differ',
      ),
      app: text("address of the shop (default: the adapter's)"),
      ...EXAMINATION,
    },
    required: [],
    isRead: false,
    isDestructive: true,
    isOpen: true,
    async run(client, { adapter = DEFAULT_ADAPTER, ...options }, watch) {
      const running = options['command'] === undefined ? client : undefined;
      const setting = await shopOf(adapter, options, { running, signal: watch?.signal });
      try {
        const examination = await setting.examination({ ...wantedOf(options), ...watched(watch) });
        return { data: digestOf(await unlessAborted(examination.run(), watch)) };
      } finally {
        await setting.close();
      }
    },
  },
  {
    name: 'probe_receiver',
    title: 'Examine a webhook receiver',
    description: `Makes the payments itself, and sends a webhook receiver genuine, repeated, late, altered and forged notifications. A receiver that queries the status must do so in session ${PROBE_SESSION}. ${ANSWER}`,
    properties: {
      webhookUrl: text('URL of the receiver'),
      secret: text(
        "secret that signs notifications (default: the variable WEBHOOK_SECRET, else the examination's own)",
      ),
      reference: text('reference of each order; {n} is replaced by a counter, as in ORDER-{n}'),
      check: text(
        'URL or command, with {reference} in it, that returns { state, fulfilments, paidAmount } of an order as JSON; without it, only the answers of the receiver are checked',
      ),
      ...EXAMINATION,
    },
    required: ['webhookUrl'],
    isRead: false,
    isDestructive: true,
    isOpen: true,
    async run(client, { webhookUrl = '', ...options }, watch) {
      const { probe } = await import('../../examine/probe/probe.ts');
      const receiver = receiverOf(webhookUrl, options, client.inSession(PROBE_SESSION));
      const examining = probe(receiver, { ...wantedOf(options), ...watched(watch) });
      return { data: digestOf(await unlessAborted(examining, watch)) };
    },
  },
];

/** Rejects as soon as the agent does not want the answer any more: the order under way may take a minute, and the shop would stay. */
function unlessAborted<Result>(result: Promise<Result>, watch: ToolCallContext | undefined): Promise<Result> {
  const aborted = new Promise<never>((_, reject) => {
    const rejectNow = () => reject(watch?.signal.reason);
    if (watch?.signal.aborted) {
      rejectNow();
    }
    watch?.signal.addEventListener('abort', rejectNow, { once: true });
  });
  return Promise.race([result, aborted]);
}

function watched(watch: ToolCallContext | undefined) {
  return {
    signal: watch?.signal ?? new AbortController().signal,
    onProgress: (progress: Parameters<typeof wordsOf>[0]) => watch?.onProgress(wordsOf(progress)),
  };
}

export function examinationToolsOf(client: SandboxClient): Tool[] {
  return toolsFrom(ROWS, client);
}
