/** A control call was refused or failed. `problem` is the body of its answer: problem details (RFC 9457), or the data of a failed check. */
export class ControlError extends Error {
  readonly status: number;
  readonly problem: Record<string, unknown>;

  constructor(status: number, problem: Record<string, unknown>, message?: string) {
    super(message ?? String(problem['detail'] ?? `the control call failed with status ${status}`));
    this.name = 'ControlError';
    this.status = status;
    this.problem = problem;
  }
}
