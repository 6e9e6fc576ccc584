import { codeOf, messageOf } from '../../base/errors.ts';
import { printable } from '../../base/text/printable.ts';
import { ADDRESS_VARIABLE, TOKEN_VARIABLE } from '../../base/variables.ts';
import { ControlError } from '../../client/control-error.ts';
import { NoAnswerError } from '../../client/no-answer-error.ts';

/** The sandbox that a command called, with the token that it sent. */
export interface CalledSandbox {
  url: string;
  controlToken: string | undefined;
}

/** The reason why a command's call failed, and what to do, for the user. */
export function explainError(error: Error, { url, controlToken }: CalledSandbox): string {
  if (error instanceof NoAnswerError) {
    return explainNoAnswer(url, error.cause);
  }
  if (!(error instanceof ControlError)) {
    return error.message;
  }
  // The paths of findings in a body begin with `$.`, which means nothing on a command line.
  const message = error.message.replaceAll(/(^|[;\n] ?)\$\.(?=\w)/g, '$1');
  return error.status === 401 ? explainToken(controlToken) : printable(message);
}

/** The message for a call without an answer, most likely because nothing listens at the address, or its certificate is not accepted. */
function explainNoAnswer(url: string, cause: unknown): string {
  const [code, message] = [String(codeOf(cause) ?? ''), messageOf(cause)];
  if (/VERIFY|ISSUER|SELF_SIGNED/.test(code)) {
    return `the certificate of ${url} is not trusted (${message}); set NODE_EXTRA_CA_CERTS to the CA's file, which was printed at the start`;
  }
  return code.includes('CERT')
    ? `the certificate of ${url} is not accepted: ${message}`
    : `no sandbox answers at ${url}; start one, or name it with --url or ${ADDRESS_VARIABLE}`;
}

/** Replaces the sandbox's own message, which asks for a header instead of the flag. */
function explainToken(token: string | undefined): string {
  const flag = `--control-token or ${TOKEN_VARIABLE}`;
  return token === undefined
    ? `the sandbox listens beyond loopback: give its control token with ${flag} (it was printed at the start)`
    : `the control token is wrong: give the one that was printed at the start with ${flag}`;
}
