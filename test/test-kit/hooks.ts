import type { Hooks } from '../../src/test-kit/use-sandbox.ts';

type Hook = 'beforeAll' | 'beforeEach' | 'afterAll';

/** Runs the hooks of a test file as runners do, when a test asks for it. */
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

  /** Runs tests with their hooks, as those of one file. */
  async file(...tests: (() => Promise<void>)[]): Promise<void> {
    try {
      await this.#run('beforeAll');
      for (const body of tests) {
        await this.#run('beforeEach');
        await body();
      }
    } finally {
      await this.#run('afterAll');
    }
  }
}
