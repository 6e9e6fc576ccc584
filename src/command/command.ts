import { unlessEmpty } from '../base/unless-empty.ts';
import type { SandboxClient } from '../client/client.ts';
import type { SuggestionSource } from './suggestion.ts';

/** The values of a command's options by their names in camel case. */
export type Options = Readonly<Record<string, string | boolean | undefined>>;

/** The result of a command as text for people; `--json` shows `data` instead. */
export interface CommandResult {
  /** For programs: an array for a list, an object for a single record. */
  data: unknown;
  text: string;
  /** A remark at the end of `text`; with --json, it is written to standard error. */
  note?: string;
  /** Whether the result is a failure, so that the exit code is 1. */
  isFailure?: boolean;
  /** Whether the result is neither a success nor a failure. */
  isUnknown?: boolean;
}

/** Results that a command shows one by one as they happen. */
export type ResultStream = AsyncIterable<CommandResult>;

/** Exit code of wrong usage, and of a result that is neither a success nor a failure. */
export const EXIT_UNKNOWN = 2;

/** The text of an option; undefined if it is empty, because a script may pass an unset variable. */
export function textOf(given: Options[string]): string | undefined {
  return typeof given === 'string' ? unlessEmpty(given) : undefined;
}

/** Wrong usage of the command line, including files that cannot be used, as opposed to a refusal by the sandbox. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A command of the program. Most talk to a running sandbox. */
export interface Command {
  name: string;
  /** Its arguments in the notation `<needed>`, `[optional]`. */
  parameters: readonly string[];
  options?: readonly { flags: string; help: string }[];
  help: string;
  /** Completions of its arguments in shells. */
  suggest?: SuggestionSource;
  /** Whether an error leaves the result unknown; the exit code is then 2, as for wrong usage. */
  isUnknownOnError?: boolean;
  /** Whether the program does not check first that a sandbox runs, because the command does so itself, or may need none. */
  skipsSandboxCheck?: true;
  /** Whether the command needs no running sandbox, and so has no options to select one. */
  needsNoSandbox?: true;
  /** Additional text for its help. */
  details?(): string;
  /** Resolves with the result; undefined if the command has written everything itself. */
  run(
    client: SandboxClient,
    parameters: readonly string[],
    options: Options,
  ): Promise<CommandResult | ResultStream | undefined>;
}
