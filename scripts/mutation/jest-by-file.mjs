// Stryker's Jest runner loads every test file for every mutant, although few tests reach it. This one runs the test
// files that do, one after the other, the quickest first, until one fails.
import { readFileSync, writeFileSync } from 'node:fs';
import { commonTokens, declareFactoryPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import { strykerPlugins as jestPlugins } from '@stryker-mutator/jest-runner';

// The dry run and the mutants run in separate processes, with Stryker's copy of the project as their working folder.
const TESTS_BY_FILE = 'tests-by-file.json';
const createJestRunner = jestPlugins[0].factory;

class JestByFile {
  #injector;
  #options;
  #testsByFile;
  #runners = new Map();

  constructor(injector) {
    this.#injector = injector;
    this.#options = injector.resolve(commonTokens.options);
  }

  capabilities() {
    return { reloadEnvironment: true };
  }

  async dryRun(options) {
    const runner = await this.#createRunner({});
    const result = await runner.dryRun(options);
    const files = new Map();
    for (const { id, fileName, timeSpentMs } of result.tests ?? []) {
      const file = files.get(fileName) ?? { tests: [], ms: 0 };
      files.set(fileName, { tests: [...file.tests, id], ms: file.ms + timeSpentMs });
    }
    const quickestFirst = [...files].sort(([, one], [, other]) => one.ms - other.ms);
    writeFileSync(TESTS_BY_FILE, JSON.stringify(quickestFirst.map(([fileName, { tests }]) => [fileName, tests])));
    return result;
  }

  async mutantRun(options) {
    this.#testsByFile ??= JSON.parse(readFileSync(TESTS_BY_FILE, 'utf8'));
    const coveringTests = options.testFilter && new Set(options.testFilter);
    let nrOfTests = 0;
    for (const [fileName, tests] of this.#testsByFile) {
      const testFilter = coveringTests && tests.filter((id) => coveringTests.has(id));
      if (testFilter?.length === 0) {
        continue;
      }
      const runner = await this.#runnerOf(fileName);
      const result = await runner.mutantRun({ ...options, testFilter });
      if (result.status !== 'survived') {
        return result;
      }
      nrOfTests += result.nrOfTests;
    }
    return { status: 'survived', nrOfTests };
  }

  async #runnerOf(fileName) {
    const runner = this.#runners.get(fileName) ?? (await this.#createRunner({ testMatch: [fileName] }));
    this.#runners.set(fileName, runner);
    return runner;
  }

  async #createRunner(config) {
    const { jest } = this.#options;
    const options = { ...this.#options, jest: { ...jest, config: { ...jest.config, ...config } } };
    const runner = this.#injector.provideValue(commonTokens.options, options).injectFunction(createJestRunner);
    await runner.init();
    return runner;
  }
}

function createRunner(injector) {
  return new JestByFile(injector);
}
createRunner.inject = [commonTokens.injector];

export const strykerPlugins = [declareFactoryPlugin(PluginKind.TestRunner, 'jest-by-file', createRunner)];
