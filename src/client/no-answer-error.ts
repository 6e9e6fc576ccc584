import { codeOf, messageOf } from '../base/errors.ts';

/** A call got no answer, or an incomplete one; `cause` is the reason. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';

  constructor(address: string, cause: unknown) {
    // Of an address with several places to try, only the code says why.
    super(`no answer from ${address}: ${messageOf(cause) || codeOf(cause)}`, { cause });
  }
}
