import { unlessEmpty } from '../base/unless-empty.ts';
import type { SandboxClient } from '../client/client.ts';
import type { Suggest } from './suggestion.ts';

/** What a command's own options say, by their names in camel case. */
export type Options = Readonly<Record<string, string | boolean | undefined>>;

/** What a command has to show to people; `--json` shows `data` instead. */
export interface Shown {
  /** For programs: a list for a list, an object for one thing. */
  data: unknown;
  text: string;
  /** What JSON has no place for; standard error gets it. */
  note?: string;
  /** An answer that is ready to be read and yet no success. */
  isFailure?: boolean;
  /** An answer that is ready to be read and tells neither success nor failure. */
  isUnknown?: boolean;
}

/** What a command shows as it happens, one by one. */
export type Following = AsyncIterable<Shown>;

/** The exit code of a wrong use, and of an end that tells neither success nor failure. */
export const EXIT_UNKNOWN = 2;

/** The text of an option; undefined where it is empty, as of a variable that nobody set. */
export function textOf(given: Options[string]): string | undefined {
  return typeof given === 'string' ? unlessEmpty(given) : undefined;
}

/** A wrong use of the command line, as opposed to a sandbox that says no. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A command that talks to a running sandbox. */
export interface Command {
  name: string;
  /** Its arguments as the command line writes them: `<needed>`, `[optional]`. */
  parameters: readonly string[];
  /** Its own options, as flags and help. */
  options?: readonly { flags: string; help: string }[];
  help: string;
  /** What shells suggest for its arguments. */
  suggest?: Suggest;
  /** What keeps it from its answer says nothing of what was asked, and ends with 2 as wrong use does. */
  endsUnknown?: boolean;
  /** It finds the sandbox itself and says if there is none. */
  findsSandbox?: true;
  /** It talks to no running sandbox, and has no options to say which. */
  needsNoSandbox?: true;
  /** What its own help says beside that. */
  details?(): string;
  /** Resolves with what there is to show; undefined where it has written everything itself. */
  run(client: SandboxClient, parameters: readonly string[], options: Options): Promise<Shown | Following | undefined>;
}
