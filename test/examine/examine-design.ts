import { EXAMINATION_SECRET } from '../../src/base/sample-merchant.ts';
import { SandboxClient } from '../../src/client/client.ts';
import { Examination } from '../../src/examine/examination.ts';
import type { ExaminationResult } from '../../src/examine/examination-result.ts';
import { EarlierOrders } from '../../src/examine/observation/earlier-orders.ts';
import { linesOf } from '../../src/examine/observation/story.ts';
import { WHOLE_SHOP } from '../../src/examine/scope.ts';
import { CURRENCY, parseSelection } from '../../src/examine/set-up.ts';
import { QuietPeriod } from '../../src/examine/shop/quiet-period.ts';
import type { CaseVerdict } from '../../src/examine/verdicts/case-verdicts.ts';
import { type Sandbox, startSandbox } from '../sandbox.ts';
import { type Design, ShopOfDesign } from './shop-of-design.ts';

export interface DesignOptions {
  /** Names of channels, invariants, situations and findings. */
  only: readonly string[];
  seed?: number;
  budgetMs?: number;
  amount?: string;
}

/** Returns a function that examines a shop of a given design. The sandbox is closed after the tests of the file. */
export function createDesignExaminer() {
  let sandbox: Sandbox;
  let sessions = 0;
  beforeAll(async () => {
    sandbox = await startSandbox();
  });
  afterAll(() => sandbox.close());
  return async (
    design: Design,
    { only, seed = 1, budgetMs = 0, amount }: DesignOptions,
  ): Promise<ExaminationResult> => {
    sessions += 1;
    const sandboxClient = new SandboxClient({ url: sandbox.url });
    const client = await sandboxClient.createSession(`design-${sessions}`, { ids: 'differ' });
    const { adapter, stop } = await new ShopOfDesign(client.baseUrl, design).start();
    const { webhookUrl: url = '' } = adapter;
    const target = {
      adapter,
      client,
      webhook: { url, secret: EXAMINATION_SECRET },
      quietPeriod: new QuietPeriod(adapter.patienceMs),
      earlierOrders: new EarlierOrders(),
      shopProcess: undefined,
    };
    const examination = new Examination(target, {
      selection: await parseSelection(only, WHOLE_SHOP),
      scope: WHOLE_SHOP,
      currency: CURRENCY,
      amount,
      seed,
      budgetMs,
      signal: new AbortController().signal,
      writeBundle: (id) => id,
      onProgress: () => undefined,
    });
    try {
      return await examination.run();
    } finally {
      await stop();
      await sandboxClient.deleteSession(client.session);
    }
  };
}

/** Findings other than handled ones, each with its note and story. */
export function problemsIn({ verdicts }: ExaminationResult): string[] {
  return verdicts.filter(({ verdict }) => !verdict.startsWith('handled')).map(textOf);
}

function textOf({ id, verdict, note, history }: CaseVerdict): string {
  return [`${id} ${verdict} ${note ?? ''}`.trim(), ...linesOf(history)].join('\n');
}

/** About an invariant, the first finding that is not handled; otherwise the first finding. */
export function verdictIn({ verdicts }: ExaminationResult, invariant: string): CaseVerdict | undefined {
  const all = verdicts.filter((each) => each.invariant === invariant);
  return all.find(({ verdict }) => !verdict.startsWith('handled')) ?? all[0];
}
