import type { Command as Program } from 'commander';
import { printable } from '../../base/text/printable.ts';
import { delay } from '../../base/timers.ts';
import { unlessEmpty } from '../../base/unless-empty.ts';
import { addressFrom, tokenFrom } from '../../base/variables.ts';
import { SandboxClient } from '../../client/client.ts';
import { listWords, type Suggestions, suggestSessions, suggestShipped } from '../../command/suggestion.ts';
import { type Environment, type Flag, flagsOf, parseFlags } from './arguments.ts';
import { COMMANDS } from './commands.ts';
import { SHELLS } from './completion-scripts.ts';

/** A sandbox that does not answer must not block the prompt. */
const TIMEOUT_MS = 1000;

const MAX_HELP_LENGTH = 80;

/** A word without special characters of shells. Others are not suggested, because callers of the sandbox choose some names. */
const PLAIN = /^[\p{L}\p{N}][\p{L}\p{N}_.:@/+=,-]*$/u;

/** The output for the scripts: a line for each completion, with its description after a tab, or `:files` if the shell is to complete a path. */
export async function completionsOf(
  words: readonly string[],
  program: Program,
  environment: Environment,
): Promise<string> {
  const current = words.at(-1) ?? '';
  // An error, for example because no sandbox is running, must not be shown at the prompt.
  const suggestions = await Promise.race([
    suggest(words.slice(0, -1), current, program, environment),
    delay(TIMEOUT_MS),
  ]).catch(() => []);
  if (suggestions === 'files') {
    return ':files\n';
  }
  return [...new Map((suggestions ?? []).map((each) => [each.word, each])).values()]
    .filter(({ word }) => word.startsWith(current) && (current.startsWith('-') || PLAIN.test(word)))
    .map(({ word, help = '' }) => `${word}\t${printable(help).slice(0, MAX_HELP_LENGTH)}\n`)
    .join('');
}

async function suggest(
  args: readonly string[],
  current: string,
  program: Program,
  environment: Environment,
): Promise<Suggestions> {
  const allFlags = program.commands.flatMap(flagsOf);
  const [name] = parseFlags(args, allFlags).positionals;
  const command = program.commands.find((each) => each.name() === name);
  const flags = command === undefined ? allFlags : flagsOf(command);
  const { tokens, values, positionals } = parseFlags(args, flags);
  const newClient = () => createClient(values, environment);
  const last = tokens.at(-1);
  const precedingFlag =
    last?.kind === 'option' && last.value === undefined ? flags.find((each) => each.name === last.name) : undefined;
  if (precedingFlag?.value !== undefined) {
    return suggestValues(precedingFlag, newClient);
  }
  const [, assignedName] = /^--([^=]+)=/.exec(current) ?? [];
  const flag = flags.find((each) => each.name === assignedName);
  if (flag) {
    const found = await suggestValues(flag, newClient);
    return found === 'files' ? found : found.map(({ word, ...rest }) => ({ word: `--${flag.name}=${word}`, ...rest }));
  }
  if (current.startsWith('-')) {
    return flags
      .filter((each) => values[each.name] === undefined)
      .map((each) => ({ word: `--${each.name}`, help: each.help }));
  }
  if (name === undefined || name === 'help') {
    return program.commands.map((each) => ({ word: each.name(), help: each.description() }));
  }
  if (name === 'completion') {
    return listWords(...SHELLS);
  }
  return COMMANDS.find((each) => each.name === name)?.suggest?.(newClient(), positionals.slice(1), current) ?? [];
}

/** A client of the sandbox and session that the line names. */
function createClient(values: Readonly<Record<string, unknown>>, environment: Environment): SandboxClient {
  const textOf = (name: string) => (typeof values[name] === 'string' ? unlessEmpty(values[name]) : undefined);
  const controlToken = textOf('control-token') ?? tokenFrom(environment);
  return new SandboxClient({
    url: textOf('url') ?? addressFrom(environment).url,
    session: textOf('session') ?? 'default',
    controlToken,
  });
}

async function suggestValues({ name, value = '' }: Flag, newClient: () => SandboxClient): Promise<Suggestions> {
  if (name === 'session') {
    return suggestSessions(newClient());
  }
  if (name === 'scenario' || name === 'behaviour') {
    return suggestShipped(`${name}s`);
  }
  const placeholder = value.slice(1, -1);
  if (placeholder === 'file' || placeholder === 'folder') {
    return 'files';
  }
  return placeholder.includes('|') ? listWords(...placeholder.split('|')) : [];
}
