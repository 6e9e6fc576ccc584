import { ControlError } from '../client/control-error.ts';
import { variableOf } from '../config/settings.ts';

/** Where a command looked for its sandbox, and what it showed there. */
export interface Asked {
  url: string;
  controlToken: string | undefined;
}

/** Why a call of a command failed, in words for whoever typed it. */
export function whyRefused(error: Error, { url, controlToken }: Asked): string {
  if (error.cause !== undefined && error.message === 'fetch failed') {
    return `no sandbox answers at ${url}; start one, or name it with --url`;
  }
  return error instanceof ControlError && error.status === 401 ? wordsForToken(controlToken) : error.message;
}

/** The sandbox asks for a header; whoever types commands has a flag. */
function wordsForToken(shown: string | undefined): string {
  const flag = `--control-token or ${variableOf('control-token')}`;
  return shown === undefined
    ? `the sandbox listens beyond loopback: give its control token with ${flag} (it was printed at the start)`
    : `the control token is wrong: give the one that was printed at the start with ${flag}`;
}
