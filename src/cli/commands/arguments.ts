import { parseArgs } from 'node:util';
import type { Command as Program } from 'commander';
import { baseAddress, wrongValueMessage } from '../../base/flag-values.ts';
import { didYouMean } from '../../base/text/nearest.ts';
import { DURATION_WORDS } from '../../base/time.ts';
import { unlessEmpty } from '../../base/unless-empty.ts';
import { addressFrom } from '../../base/variables.ts';
import { UsageError } from '../../command/command.ts';
import { resolveSettings, SettingsError } from '../../server/config/resolve-settings.ts';
import { FLAGS } from '../../server/config/settings.ts';

export interface Flag {
  name: string;
  /** The letter after a single dash. */
  short?: string;
  /** The placeholder of its value; undefined for a switch. */
  value: string | undefined;
  help: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;
type Values = ReturnType<typeof parseFlags>['values'];

const DEFAULT_COMMAND = 'start';

/** Flags that the command-line library adds, and their letters. */
const LIBRARY_FLAGS: readonly string[] = ['help', 'h', 'version', 'v'];

/** Flags whose empty value counts as omitted, because a script may pass an unset variable. */
const SETTING_NAMES: ReadonlySet<string> = new Set([...FLAGS.map(({ flag }) => flag), 'config', 'url']);

/** The beginning of a negative duration or number, which is not a flag. */
const NEGATIVE = /^-[\dP]/;

/**
 * Moves the command to the front, so that its flags may be written before it as well. Throws UsageError with all wrong flags and
 * settings, one line each, so that users can fix them at once, or for an unknown command.
 */
export function normalizeArguments(args: readonly string[], program: Program, environment: Environment): string[] {
  const allFlags = program.commands.flatMap(flagsOf);
  const cleanArgs = withoutEmptySettings(args, allFlags);
  const { tokens } = parseFlags(cleanArgs, allFlags);
  const first = tokens.find((token) => token.kind === 'positional');
  const command = program.commands.find((each) => each.name() === (first?.value ?? DEFAULT_COMMAND));
  if (tokens.some(isHelpOrVersion) && first === undefined) {
    return [...cleanArgs];
  }
  const flags = command === undefined ? allFlags : flagsOf(command);
  const problems = problemsIn(cleanArgs, flags, command?.name(), environment);
  if (problems.length > 0) {
    throw new UsageError(problems.join('\n'));
  }
  const [commandName, topic] = tokens.flatMap((token) => (token.kind === 'positional' ? token.value : []));
  if (commandName === 'help' && topic === 'help') {
    return ['help'];
  }
  assertCommand(commandName === 'help' ? topic : commandName, program);
  return first === undefined
    ? [DEFAULT_COMMAND, ...cleanArgs]
    : [first.value, ...cleanArgs.filter((_, at) => at !== first.index)];
}

function withoutEmptySettings(args: readonly string[], flags: readonly Flag[]): string[] {
  const emptyIndexes = parseFlags(args, flags).tokens.flatMap((token) => {
    const isEmpty = token.kind === 'option' && token.value !== undefined && unlessEmpty(token.value) === undefined;
    const indexes = isEmpty && !token.inlineValue ? [token.index, token.index + 1] : [token.index];
    return isEmpty && SETTING_NAMES.has(token.name) ? indexes : [];
  });
  return args.filter((_, index) => !emptyIndexes.includes(index));
}

function assertCommand(name: string | undefined, program: Program): void {
  const names = program.commands.map((each) => each.name());
  if (name !== undefined && !names.includes(name)) {
    throw new UsageError(`there is no command ${name}${didYouMean(name, names) || '; help lists them'}`);
  }
}

export function flagsOf(command: Program): Flag[] {
  return command.options.map(({ long, short, flags, description }) => ({
    name: (long ?? '').replace(/^--/, ''),
    ...(short ? { short: short.slice(1) } : {}),
    value: /<.+>/.exec(flags)?.[0],
    help: description,
  }));
}

/** Parses flags and arguments as far as possible, without rejecting any. */
export function parseFlags(args: readonly string[], flags: readonly Flag[]) {
  const options = Object.fromEntries(
    flags.map(({ name, short, value }) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const), ...(short ? { short } : {}) },
    ]),
  );
  return parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true });
}

function problemsIn(
  args: readonly string[],
  flags: readonly Flag[],
  command: string | undefined,
  environment: Environment,
): string[] {
  const { tokens, values } = parseFlags(args, flags);
  const names = [...flags.map(({ name }) => name), 'help', 'version'].map((name) => `--${name}`);
  const isAdvance = command === 'clock' && tokens.some((token) => 'value' in token && token.value === 'advance');
  const problems = tokens.flatMap((token) => {
    const word = args[token.index] ?? '';
    if (isAdvance && NEGATIVE.test(word)) {
      return [`clock advance takes ${DURATION_WORDS}, not ${JSON.stringify(word)}`];
    }
    if (token.kind !== 'option' || isHelpOrVersion(token)) {
      return [];
    }
    const flag = flags.find(({ name }) => name === token.name);
    if (!flag || (!token.rawName.startsWith('--') && token.rawName !== `-${flag.short}`)) {
      const problem = command === undefined ? 'there is no flag' : `${command} takes no flag`;
      return [`${problem} ${token.rawName}${didYouMean(token.rawName, names)}`];
    }
    const isNextFlag = token.value?.startsWith('--') && !token.inlineValue;
    if (flag.value !== undefined && (token.value === undefined || isNextFlag)) {
      return [`--${flag.name} needs a value: --${flag.name} ${flag.value}`];
    }
    return flag.value === undefined && token.value !== undefined ? [`--${flag.name} takes no value`] : [];
  });
  const hasHelpOrVersion = tokens.some(isHelpOrVersion);
  const valueProblems =
    command === DEFAULT_COMMAND
      ? problemsInSettings(values, environment)
      : hasHelpOrVersion
        ? []
        : problemsInAddress(values['url'], environment);
  // Without duplicates, because a word such as -P1D is parsed as one token for each letter.
  return [...new Set([...problems, ...valueProblems])];
}

function isHelpOrVersion(token: ReturnType<typeof parseFlags>['tokens'][number]): boolean {
  return token.kind === 'option' && LIBRARY_FLAGS.includes(token.name);
}

/** Validates the address of the sandbox before it is called, because `wait` would otherwise wait at a wrong one until its timeout. */
function problemsInAddress(address: Values[string], environment: Environment): string[] {
  const { source, url } = typeof address === 'string' ? { source: '--url', url: address } : addressFrom(environment);
  try {
    baseAddress('http://127.0.0.1:4100').fromText(url);
    return [];
  } catch (error) {
    return [wrongValueMessage(source, url, error)];
  }
}

function problemsInSettings(values: Values, environment: Environment): string[] {
  // A flag without its value, or with an unexpected one, has been reported already.
  const isSwitch = (name: string) => FLAGS.some(({ flag, value }) => flag === name && value === undefined);
  const setValues = Object.entries(values).filter(
    ([name, value]) => value !== undefined && (value === true) === isSwitch(name),
  );
  try {
    resolveSettings(Object.fromEntries(setValues) as Record<string, string | boolean>, environment);
    return [];
  } catch (error) {
    if (error instanceof SettingsError) {
      return error.message.split('\n');
    }
    throw error;
  }
}
