// Stryker's Jest runner loads every test file for every mutant, although few tests reach it. This one goes through the
// files that do, one at a time, and stops at the first that notices. The file that noticed last is asked first.
import { readFileSync, writeFileSync } from 'node:fs';
import { commonTokens, declareFactoryPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import { strykerPlugins as jestPlugins } from '@stryker-mutator/jest-runner';

// The dry run and the mutants have processes of their own, and the sandbox as their working folder.
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
    const testsByFile = {};
    for (const { id, fileName } of result.tests ?? []) {
      testsByFile[fileName] ??= [];
      testsByFile[fileName].push(id);
    }
    writeFileSync(TESTS_BY_FILE, JSON.stringify(testsByFile));
    return result;
  }

  async mutantRun(options) {
    this.#testsByFile ??= new Map(Object.entries(JSON.parse(readFileSync(TESTS_BY_FILE, 'utf8'))));
    const covering = options.testFilter && new Set(options.testFilter);
    let nrOfTests = 0;
    for (const [fileName, tests] of this.#testsByFile) {
      const testFilter = covering && tests.filter((id) => covering.has(id));
      if (testFilter?.length === 0) {
        continue;
      }
      const runner = await this.#runnerOf(fileName);
      const result = await runner.mutantRun({ ...options, testFilter });
      if (result.status !== 'survived') {
        this.#askFirst(fileName, tests);
        return result;
      }
      nrOfTests += result.nrOfTests;
    }
    return { status: 'survived', nrOfTests };
  }

  #askFirst(fileName, tests) {
    this.#testsByFile.delete(fileName);
    this.#testsByFile = new Map([[fileName, tests], ...this.#testsByFile]);
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
