/** What is wrong in one fixture file, with its place in it. */
export interface FixtureProblem {
  file: string;
  problem: string;
}

/** Fixtures that cannot be used, with everything that is wrong in them. */
export class FixtureError extends Error {
  /** The first file with a problem, or the flag. */
  readonly file: string;

  constructor(file: string, problem: string) {
    super(`${file}: ${problem}`);
    this.name = 'FixtureError';
    this.file = file;
  }

  /** One error for all problems; each file is named once, so problems of one file stand together. */
  static of([first, ...others]: readonly [FixtureProblem, ...FixtureProblem[]]): FixtureError {
    let { file, problem } = first;
    for (const other of others) {
      problem += other.file === file ? `; ${other.problem}` : `; ${other.file}: ${other.problem}`;
      file = other.file;
    }
    return new FixtureError(first.file, problem);
  }
}
