import type { Hooks } from '../../src/test-kit/use-sandbox.ts';

type Hook = 'beforeAll' | 'beforeEach' | 'afterAll';

/** Collects the hooks of a simulated test file, and runs its tests with them as a runner does. */
export class HooksOfFile implements Hooks {
  readonly #actions = { beforeAll: [], beforeEach: [], afterAll: [] } as Record<Hook, (() => Promise<void>)[]>;

  beforeAll = (action: () => Promise<void>) => this.#actions.beforeAll.push(action);
  beforeEach = (action: () => Promise<void>) => this.#actions.beforeEach.push(action);
  afterAll = (action: () => Promise<void>) => this.#actions.afterAll.push(action);

  async #run(name: Hook): Promise<void> {
    for (const action of this.#actions[name]) {
      await action();
    }
  }

  /** Runs tests as those of one file. */
  async runTests(...tests: (() => Promise<void>)[]): Promise<void> {
    try {
      await this.#run('beforeAll');
      for (const test of tests) {
        await this.#run('beforeEach');
        await test();
      }
    } finally {
      await this.#run('afterAll');
    }
  }
}
