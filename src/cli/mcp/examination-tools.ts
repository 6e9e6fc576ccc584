import type { SandboxClient } from '../../client/client.ts';
import { wantedOf } from '../commands/examination.ts';
import { DEFAULT_ADAPTER } from '../commands/examine.ts';
import { shopOf } from '../commands/examiner.ts';
import { receiverOf } from '../commands/probe.ts';
import { wordsOf } from '../commands/progress.ts';
import { digestOf } from './examination-digest.ts';
import { type TextTool, text, toolsFrom } from './text-tools.ts';
import type { Tool, Watch } from './tools.ts';

/** The session by which a receiver asks where a probe is under way. */
const PROBE_SESSION = 'probe';

const EXAMINATION = {
  only: text('only these invariants, situations or channels, such as I2,forged-signature,mobile-money; left out, all'),
  budget: text('until when combinations are tried, such as 30s; single situations are all tried; left out, 60s'),
  amount: text('of every order, such as 10.00; left out, drawn for each'),
  seed: text('a whole number that draws amounts and combinations; left out, 1'),
  bundles: text('the folder where violations are kept to be replayed; left out, examination'),
};

/** What both say first. */
const ANSWER =
  'Answers with counts of verdicts, with every invariant that is violated (why it matters, how to mend it, the shortest story, a bundle for replay_bundle), and with what could not be told and why. It may take minutes; `only` makes it short.';

/** THE TABLE of tools that grade an integration. */
const ROWS: readonly TextTool[] = [
  {
    name: 'examine_shop',
    title: 'Examine a shop',
    description: `Places orders in a shop by its adapter (docs/examine.md), disturbs every call and notification, and judges twelve invariants by what both sides say in the end. ${ANSWER}`,
    properties: {
      adapter: text(`the module that places orders and says what became of them; left out, ${DEFAULT_ADAPTER}`),
      command: text(
        'starts the shop, with a sandbox of its own, and ends it; left out, the shop runs and calls this session, whose ids must differ (start --ids differ)',
      ),
      app: text("the shop's address; left out, the adapter's"),
      ...EXAMINATION,
    },
    required: [],
    isRead: false,
    async run(client, { adapter = DEFAULT_ADAPTER, ...options }, watch) {
      const setting = await shopOf(adapter, options, options['command'] === undefined ? client : undefined);
      try {
        const examination = await setting.examination({ ...wantedOf(options), ...watched(watch) });
        return { data: digestOf(await examination.run()) };
      } finally {
        await setting.close();
      }
    },
  },
  {
    name: 'probe_receiver',
    title: 'Examine a receiver',
    description: `Pays orders itself and sends a receiver genuine, repeated, late, changed and forged notifications. A receiver that asks for the status must ask in session ${PROBE_SESSION}. ${ANSWER}`,
    properties: {
      webhookUrl: text('where the receiver takes notifications'),
      secret: text("what they are signed with; left out, the variable WEBHOOK_SECRET, else the examination's own"),
      reference: text('of the orders that are paid, counted at {n}, such as ORDER-{n}'),
      check: text(
        'an address or a command with {reference} in it that answers with JSON { state, fulfilments, paidAmount }; without it little can be told',
      ),
      ...EXAMINATION,
    },
    required: ['webhookUrl'],
    isRead: false,
    async run(client, { webhookUrl = '', ...options }, watch) {
      const { probe } = await import('../../examine/probe.ts');
      const receiver = receiverOf(webhookUrl, options, client.inSession(PROBE_SESSION));
      return { data: digestOf(await probe(receiver, { ...wantedOf(options), ...watched(watch) })) };
    },
  },
];

function watched(watch: Watch | undefined) {
  return {
    signal: watch?.signal ?? new AbortController().signal,
    onProgress: (progress: Parameters<typeof wordsOf>[0]) => watch?.onProgress(wordsOf(progress)),
  };
}

export function examinationToolsOf(client: SandboxClient): Tool[] {
  return toolsFrom(ROWS, client);
}
