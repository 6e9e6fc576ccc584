import { codeOf, messageOf } from '../base/errors.ts';

/** A call got no answer, or an incomplete one; `cause` is the reason. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';

  constructor(address: string, cause: unknown) {
    // Node's error for a host with several addresses has a code, but no message.
    super(`no answer from ${address}: ${messageOf(cause) || codeOf(cause)}`, { cause });
  }
}
