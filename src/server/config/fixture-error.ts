export interface FixtureProblem {
  file: string;
  problem: string;
}

/** Fixtures that cannot be used. */
export class FixtureError extends Error {
  /** The first file or folder with a problem; if a flag is the problem, the flag, such as `--wallet-names`. */
  readonly file: string;

  constructor(file: string, problem: string) {
    super(`${file}: ${problem}`);
    this.name = 'FixtureError';
    this.file = file;
  }

  /** One error for several problems. Consecutive problems of one file name it once. */
  static of([first, ...others]: readonly [FixtureProblem, ...FixtureProblem[]]): FixtureError {
    let { file, problem } = first;
    for (const other of others) {
      problem += other.file === file ? `; ${other.problem}` : `; ${other.file}: ${other.problem}`;
      file = other.file;
    }
    return new FixtureError(first.file, problem);
  }
}
