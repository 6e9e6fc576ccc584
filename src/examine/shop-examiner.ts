import { messageOf } from '../base/errors.ts';
import { Refusal } from '../base/refusal.ts';
import type { ExaminationStart, ExaminationView } from '../base/schema/generated/control.ts';
import { addDuration } from '../base/time.ts';
import type { SandboxClient } from '../client/client.ts';
import type { Examiner } from '../server/index.ts';
import type { Examination } from './examination.ts';
import type { ExaminationOptions, Progress } from './examination-options.ts';
import type { ExaminationResult } from './examination-result.ts';
import { viewVerdicts } from './examination-view.ts';
import { WHOLE_SHOP } from './scope.ts';
import { type ExamineRequest, type PreparedShop, parseSelection, type SetUpOptions, setUp } from './set-up.ts';
import { AdapterError } from './shop/adapter.ts';

const DEFAULTS = { seed: 1, budget: 'PT1M' };
const INITIAL_PROGRESS: Progress = { now: 'preparing the shop', done: 0, total: 0, violated: 0 };

export interface ShopExaminerOptions
  extends Omit<SetUpOptions, 'runningSandbox' | 'examiner' | 'signal'>,
    Pick<ExaminationOptions, 'writeBundle'> {
  /** As in SetUpOptions; also undefined until that sandbox has started. */
  runningSandbox(): SandboxClient | undefined;
  onProgress?(progress: Progress): void;
  /** Called before the first order, when everything is ready. */
  onReady?(shop: PreparedShop): void;
}

type RunRequest = Pick<ExamineRequest, 'only' | 'amount' | 'seed' | 'budgetMs' | 'coverage'>;

interface Run {
  state: Exclude<ExaminationView['state'], 'no-shop' | 'ready'>;
  seed: number;
  abort: AbortController;
  progress: Progress;
  client?: SandboxClient;
  examination?: Examination;
  result?: ExaminationResult;
  problem?: string;
}

type RunAction<Result> = (examination: Examination, run: Run) => Promise<Result>;

/** Examines one shop repeatedly, and reports the progress. */
export class ShopExaminer implements Examiner {
  readonly #options: ShopExaminerOptions;
  #last: Run | undefined;
  #ended: Promise<unknown> = Promise.resolve();

  constructor(options: ShopExaminerOptions) {
    this.#options = options;
  }

  /**
   * Throws Refusal if an examination is running; rejects with AdapterError if the shop or its adapter cannot be used, or if `stop` is called
   * while the shop is prepared. If `stop` is called later, resolves with the results so far.
   */
  run(request: RunRequest): Promise<ExaminationResult> {
    return this.#begin(request, async (examination, run) => {
      run.result = await examination.run();
      return run.result;
    });
  }

  /** Throws and rejects as `run` does, and also rejects if `stop` is called later. */
  dryRun(request: RunRequest): ReturnType<Examination['dryRun']> {
    return this.#begin(request, (examination) => examination.dryRun());
  }

  async start({ only = [], amount, seed = DEFAULTS.seed, budget = DEFAULTS.budget }: ExaminationStart): Promise<void> {
    try {
      await parseSelection(only, WHOLE_SHOP);
    } catch (error) {
      throw error instanceof AdapterError ? new Refusal('invalid-field', error.message) : error;
    }
    // `state` reports the result or the problem.
    this.run({ only, amount, seed, budgetMs: addDuration(0, budget) }).catch(() => undefined);
  }

  async stop(): Promise<void> {
    this.#last?.abort.abort(new AdapterError('the examination was stopped'));
    await this.#ended;
  }

  state(): ExaminationView {
    const { file, command } = this.#options;
    const run = this.#last;
    const isRunning = run?.state === 'running';
    const client = run?.client ?? this.#options.runningSandbox();
    return {
      state: run?.state ?? 'ready',
      shop: {
        adapter: file,
        command: command ?? null,
        address: command === undefined ? (client?.baseUrl ?? null) : null,
      },
      session: isRunning ? (run.client?.session ?? null) : null,
      progress: isRunning ? { now: run.progress.now, done: run.progress.done, total: run.progress.total } : null,
      problem: run?.problem ?? null,
      orders: run?.result?.cases ?? null,
      seed: run?.seed ?? null,
      milliseconds: run?.result?.milliseconds ?? null,
      ...viewVerdicts(run?.examination?.verdicts ?? []),
    };
  }

  #begin<Result>(request: RunRequest, act: RunAction<Result>): Promise<Result> {
    if (this.#last?.state === 'running') {
      throw new Refusal('conflict', 'an examination is already running: stop it first, or wait until it ends');
    }
    const run: Run = { state: 'running', seed: request.seed, abort: new AbortController(), progress: INITIAL_PROGRESS };
    this.#last = run;
    const result = this.#examine(request, run, act);
    this.#ended = result.catch(() => undefined);
    return result;
  }

  async #examine<Result>(request: RunRequest, run: Run, act: RunAction<Result>): Promise<Result> {
    const { signal } = run.abort;
    try {
      const result = await this.#withShop(request, run, act);
      run.state = signal.aborted ? 'stopped' : 'done';
      return result;
    } catch (error) {
      run.state = signal.aborted ? 'stopped' : 'failed';
      if (!signal.aborted) {
        run.problem = messageOf(error);
      }
      throw error;
    }
  }

  async #withShop<Result>(request: RunRequest, run: Run, act: RunAction<Result>): Promise<Result> {
    const { runningSandbox, onReady, onProgress, writeBundle, ...shop } = this.#options;
    const { signal } = run.abort;
    const prepared = await setUp({ ...shop, runningSandbox: runningSandbox(), examiner: this, signal });
    try {
      run.client = prepared.client;
      onReady?.(prepared);
      signal.throwIfAborted();
      run.examination = await prepared.createExamination({
        ...request,
        signal,
        writeBundle,
        onProgress(progress) {
          run.progress = progress;
          onProgress?.(progress);
        },
      });
      return await act(run.examination, run);
    } finally {
      await prepared.close();
    }
  }
}
