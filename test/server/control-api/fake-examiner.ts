import { Refusal } from '../../../src/base/refusal.ts';
import type {
  ExaminationStart,
  ExaminationVerdict,
  ExaminationView,
} from '../../../src/base/schema/generated/control.ts';
import { viewVerdicts } from '../../../src/examine/examination-view.ts';
import type { Examiner } from '../../../src/server/control-api/examiner.ts';

/** The view before the first examination. */
export const READY: ExaminationView = {
  state: 'ready',
  shop: { adapter: 'examine.mjs', command: 'npm start', address: null },
  session: null,
  progress: null,
  problem: null,
  orders: null,
  seed: null,
  milliseconds: null,
  ...viewVerdicts([]),
};

/** An examiner whose view a test sets. */
export class FakeExaminer implements Examiner {
  view: ExaminationView = READY;
  readonly started: ExaminationStart[] = [];

  state(): ExaminationView {
    return this.view;
  }

  async start(options: ExaminationStart): Promise<void> {
    if (this.view.state === 'running') {
      throw new Refusal('conflict', 'the shop is being examined');
    }
    this.started.push(options);
    this.view = {
      ...this.view,
      state: 'running',
      progress: { now: 'the payer pays, on qr-wallet', done: 0, total: 4 },
    };
  }

  async stop(): Promise<void> {
    this.view = { ...this.view, state: 'stopped', progress: null };
  }

  setVerdicts(verdicts: readonly ExaminationVerdict[]): void {
    const counts = READY.counts.map((each) => ({
      ...each,
      count: verdicts.filter(({ verdict }) => verdict === each.verdict).length,
    }));
    this.view = { ...this.view, verdicts: [...verdicts], counts };
  }
}

const HISTORY: ExaminationVerdict['history'] = [
  { at: '', side: 'shop', text: 'order of 10.00 USD' },
  { at: '2026-03-01T10:00:00.000Z', side: 'shop', text: 'POST /sandbox/init/authenticate/merchant/wallet' },
  { at: '2026-03-01T10:00:03.000Z', side: 'provider', text: 'payment-1 is Paid' },
  { at: '2026-03-01T10:00:03.000Z', side: 'provider', text: 'delivery-1, transaction: the shop answers 200' },
  { at: '2026-03-01T10:00:04.000Z', side: 'provider', text: 'delivery-1, transaction: the shop answers 200' },
  { at: '2026-03-01T10:00:04.000Z', side: 'shop', text: 'fulfilled 2 times, paid 10.00' },
];

function verdictOf(
  invariant: string,
  situation: string,
  title: string,
  channel: string,
  members: Partial<ExaminationVerdict> = {},
): ExaminationVerdict {
  const id = `${invariant}-${situation}-${channel}`;
  const plain = { verdict: 'handled' as const, note: null, history: [], bundle: null };
  return { id, invariant, situation, title, channel, ...plain, ...members };
}

/** At least one verdict of each kind. */
export const VERDICTS: readonly ExaminationVerdict[] = [
  ...['qr-wallet', 'mobile-money'].flatMap((channel) => [
    verdictOf('I2', 'notified-twice', 'the notification arrives twice', channel, {
      verdict: 'violated',
      history: HISTORY,
      bundle: `examination/I2-notified-twice-${channel}.bundle`,
    }),
    verdictOf('I4', 'notified-late', 'the notification arrives an hour late', channel),
    verdictOf('I4', 'notified-never', 'the notification never arrives', channel, {
      verdict: 'handled-after-reconcile',
    }),
    verdictOf('I1', 'query-lags', 'status queries return the status of 30 seconds ago', channel, {
      verdict: 'not-exercised',
      note: 'the situation did not occur',
    }),
  ]),
  verdictOf('I10', 'answer-lost', 'the payment is made, but the connection is reset', 'qr-wallet', {
    verdict: 'inconclusive',
    note: 'it was violated 1 times of 3',
    history: HISTORY,
  }),
  verdictOf('I4', 'paid', 'the payer pays', 'card-switch', {
    verdict: 'not-applicable',
    note: 'the shop does not sell by this channel',
  }),
];
