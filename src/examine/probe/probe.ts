import { steadyNow } from '../../base/timers.ts';
import type { SandboxClient } from '../../client/client.ts';
import { ControlError } from '../../client/control-error.ts';
import { loadFixtures } from '../../server/index.ts';
import { Examination, PAYER } from '../examination.ts';
import { EMPTY_RESULT, type ExaminationResult } from '../examination-result.ts';
import { EarlierOrders } from '../observation/earlier-orders.ts';
import { type Cleanup, CURRENCY, cleanUp, type ExamineRequest, parseSelection, prepareClient } from '../set-up.ts';
import { AdapterError } from '../shop/adapter.ts';
import type { ExaminedShop } from '../shop/examined-shop.ts';
import { QuietPeriod } from '../shop/quiet-period.ts';
import { CONFIRMING_RUNS } from '../verdicts/trial.ts';
import { checkAcknowledgement } from './acknowledgement-check.ts';
import { createProbeAdapter, type ReceiverOptions, validateOptions } from './probe-adapter.ts';
import { CHECKED_RECEIVER, UNCHECKED_RECEIVER } from './receiver-scopes.ts';

export interface ProbeOptions extends ReceiverOptions {
  /** The secret that signs notifications. */
  secret: string;
  /** The session that the receiver calls in a running sandbox; undefined to start a sandbox for the probe. */
  runningSandbox: SandboxClient | undefined;
}

const DEFAULT_AMOUNT = '10.00';

/** Throws AdapterError if the examination cannot begin. */
export async function probe(options: ProbeOptions, { only, ...request }: ExamineRequest): Promise<ExaminationResult> {
  validateOptions(options);
  const startedAt = steadyNow();
  const scope = options.check === undefined ? UNCHECKED_RECEIVER : CHECKED_RECEIVER;
  const selection = await parseSelection(only, scope);
  const cleanup: Cleanup = [];
  try {
    const sandboxOptions = { command: undefined, runningSandbox: options.runningSandbox, examiner: undefined };
    const anyPort = 0;
    const client = await prepareClient(sandboxOptions, cleanup, anyPort);
    const { webhookUrl, secret } = options;
    const target: ExaminedShop = {
      adapter: createProbeAdapter(options, client, await loadWalletNames()),
      client,
      webhook: { url: webhookUrl, secret },
      quietPeriod: new QuietPeriod(),
      earlierOrders: new EarlierOrders(),
      shopProcess: undefined,
    };
    const [channel = ''] = selection.channels;
    request.onProgress({ now: 'checking whether the receiver acknowledges', done: 0, total: 0, violated: 0 });
    const order = { amount: request.amount ?? DEFAULT_AMOUNT, currency: CURRENCY, channel, payer: PAYER };
    const failedCheck = await checkAcknowledgement(order, target, request.writeBundle);
    if (!failedCheck) {
      const examination = new Examination(target, { ...request, selection, scope, currency: CURRENCY });
      const result = await examination.run();
      return { ...result, cases: result.cases + CONFIRMING_RUNS, milliseconds: Math.round(steadyNow() - startedAt) };
    }
    const { all: verdicts, counts } = failedCheck.caseVerdicts;
    const { subject, unseen } = scope;
    const milliseconds = Math.round(steadyNow() - startedAt);
    return {
      ...EMPTY_RESULT,
      subject,
      unseen,
      cases: failedCheck.orders,
      seed: request.seed,
      verdicts,
      counts,
      milliseconds,
    };
  } catch (error) {
    // For example because the sandbox must not call the address of the receiver.
    throw error instanceof ControlError ? new AdapterError(error.message) : error;
  } finally {
    await cleanUp(cleanup);
  }
}

/** The wallet name of each channel in payment requests. */
async function loadWalletNames(): Promise<ReadonlyMap<string, string>> {
  const { channels: fixture } = await loadFixtures();
  return new Map(
    fixture.channels.flatMap(({ id, names: [name] }) => (name === undefined ? [] : [[id, name] as const])),
  );
}
