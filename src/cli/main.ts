import { inspect } from 'node:util';
import { Command, CommanderError, Option } from 'commander';
import { codeOf } from '../base/errors.ts';
import { VERSION } from '../base/package.ts';
import { guessOrList } from '../base/text/nearest.ts';
import { printableLines } from '../base/text/printable.ts';
import { ADDRESS_VARIABLES, addressFrom, kebab, TOKEN_VARIABLE, tokenFrom, variableOf } from '../base/variables.ts';
import { type ClientOptions, SandboxClient } from '../client/client.ts';
import { ControlError } from '../client/control-error.ts';
import { type Command as ControlCommand, type Options, UsageError } from '../command/command.ts';
import { show } from '../command/show.ts';
import { FixtureError } from '../server/config/fixtures.ts';
import { resolveSettings, SettingsError } from '../server/config/resolve-settings.ts';
import { FLAGS } from '../server/config/settings.ts';
import { StoreError } from '../server/store/store.ts';
import { type Environment, normalizeArguments } from './commands/arguments.ts';
import { COMPLETE_COMMAND, completionScript, SHELLS } from './commands/completion-scripts.ts';
import { explainError } from './commands/explain-error.ts';
import { addHelp, inHelpOrder } from './commands/help.ts';
import { assertSandboxRuns } from './commands/readiness.ts';

/** Exit code for a wrong flag, argument, filter, fixture or data file, for a port in use, and for a result that is unknown. */
const EXIT_WRONG_USAGE = 2;
/** Exit code if the sandbox is not running or refuses the call, for a result that is a failure, and after an unexpected error. */
const EXIT_REFUSED = 1;
const EXIT_CODES = { succeeded: 0, failed: EXIT_REFUSED, unknown: EXIT_WRONG_USAGE };
type Exit = { code: number };

/** The input and output of a command, apart from its arguments. */
export interface ProgramHost {
  environment: Environment;
  print(text: string): void;
  complain(text: string): void;
}

/** Runs a command line, and resolves with its exit code. */
export async function main(args: readonly string[], host: ProgramHost): Promise<number> {
  let isJson = args.includes('--json');
  const exit: Exit = { code: 0 };
  try {
    // The other commands take a while to load.
    const isStart = (args[0] ?? 'start') === 'start' && !args.includes('--help') && !args.includes('-h');
    const { COMMANDS: commands } = isStart ? { COMMANDS: [] } : await import('./commands/commands.ts');
    isJson &&= !commands.some((command) => command.name === args[0] && hasJsonFile(command));
    const program = programFor(commands, host, isJson, exit);
    if (args[0] === COMPLETE_COMMAND) {
      const { completionsOf } = await import('./commands/completion.ts');
      host.print(await completionsOf(args.slice(1), program, host.environment));
    } else {
      await program.parseAsync(normalizeArguments(args, program, host.environment), { from: 'user' });
    }
    return exit.code;
  } catch (error) {
    return error instanceof CommanderError ? exitCodeOf(error) : reportFailure(error, host, isJson);
  }
}

/** Commander also throws after it has shown help; for `help`, its code is the current exit code of the process. */
function exitCodeOf({ code, exitCode }: CommanderError): number {
  return exitCode === 0 || code === 'commander.help' ? 0 : EXIT_WRONG_USAGE;
}

function programFor(commands: readonly ControlCommand[], host: ProgramHost, isJson: boolean, exit: Exit): Command {
  const { environment, print } = host;
  const program = new Command('merchant-sandbox')
    .description('A local stand-in for a merchant payments service.')
    .version(VERSION, '-v, --version')
    .addHelpText(
      'after',
      '\nOptions may come before or after the command. Exit codes: 0 success, 1 refused or not found, 2 wrong usage.',
    )
    .configureOutput({
      writeOut: print,
      writeErr: host.complain,
      outputError: (text) => printError({ message: plainError(text) }, host, isJson),
    })
    .exitOverride();
  const startCommand = program
    .command('start', { isDefault: true })
    .description('start the sandbox (the default command)')
    .option('--config <file>', `JSON file of settings, by the names of the flags [${variableOf('config')}]`)
    .action((options: Options) => runStart(options, environment));
  for (const { flag, value, fallback, fallbackText = fallback, help } of FLAGS) {
    const isEmpty = fallback === undefined || fallback === false || (Array.isArray(fallback) && fallback.length === 0);
    const defaultText = isEmpty ? '' : ` (default ${fallbackText})`;
    const text = `${help}${defaultText} [${variableOf(flag)}]`;
    startCommand.addOption(new Option(value === undefined ? `--${flag}` : `--${flag} <${value}>`, text));
  }
  addDemo(program, print);
  for (const command of inHelpOrder(commands)) {
    const entry = program.command(command.name).description(command.help);
    if (command.details) {
      entry.addHelpText('after', () => `\n${command.details?.()}`);
    }
    for (const parameter of command.parameters) {
      entry.argument(parameter);
    }
    for (const { flags, help } of command.options ?? []) {
      entry.option(flags, help);
    }
    if (!command.needsNoSandbox) {
      addSandboxOptions(entry, environment);
    }
    if (!hasJsonFile(command)) {
      entry.addOption(new Option('--json', 'print JSON, and errors as JSON on standard error').hideHelp());
    }
    const usage = ['merchant-sandbox', command.name, ...command.parameters].join(' ');
    entry.configureOutput({
      outputError: (text) => printError({ message: `${plainError(text)}; usage: ${usage}` }, host, isJson),
    });
    entry.action(async (...values) => {
      exit.code = await runControlCommand(command, values, host, isJson);
    });
  }
  addCompletion(program, print);
  addHelp(program);
  return program;
}

function addSandboxOptions(entry: Command, environment: Environment): void {
  // The default has a description, because help would otherwise print a token.
  const token = new Option('--control-token <text>', `control token of a sandbox beyond loopback [${TOKEN_VARIABLE}]`);
  const address = new Option('--url <address>', `address of the sandbox [${ADDRESS_VARIABLES.join(', else ')}]`);
  for (const option of [
    address.default(addressFrom(environment).url),
    new Option('--session <name>', 'session to use').default('default'),
    token.default(tokenFrom(environment), "the variable's"),
  ]) {
    entry.addOption(option.hideHelp());
  }
}

/** Commander's error without its prefix and its full stop. */
function plainError(text: string): string {
  return text
    .replace(/^error: /, '')
    .trim()
    .replace(/\.$/, '');
}

/** The demo is not a control command, because it starts its own sandbox or resets a running demo. Only this command loads its code. */
function addDemo(program: Command, print: ProgramHost['print']): void {
  const port = FLAGS.find(({ flag }) => flag === 'port')?.fallback;
  program
    .command('demo')
    .description('start a shop to click through, a session with a week of payments, and the console')
    .option('--port <number>', 'port to listen on, and the next one for the shop; 0 for any free ports', String(port))
    .option('--reset', 'reset the demo that is running on that port, or start one')
    .option('--no-browser', 'print the addresses, and open no browser')
    .action(async (options: Options) => (await import('../demo/run-demo.ts')).runDemo(options, print));
}

function addCompletion(program: Command, print: ProgramHost['print']): void {
  program
    .command('completion <shell>')
    .description(`print the completion script for a shell: ${SHELLS.join(', ')}`)
    .addHelpText(
      'after',
      '\nIn ~/.bashrc:               source <(merchant-sandbox completion bash)' +
        '\nIn ~/.zshrc, after compinit: source <(merchant-sandbox completion zsh)' +
        '\nFor fish: merchant-sandbox completion fish > ~/.config/fish/completions/merchant-sandbox.fish',
    )
    .action((shell: string) => print(scriptFor(shell)));
}

/** Whether `--json` of a command names a file; its standard output is for people then. */
function hasJsonFile({ options = [] }: ControlCommand): boolean {
  return options.some(({ flags }) => flags.startsWith('--json '));
}

/** Commander passes the arguments, then the options, then the command. */
async function runControlCommand(
  command: ControlCommand,
  values: unknown[],
  host: ProgramHost,
  isJson: boolean,
): Promise<number> {
  const options = values.at(-2) as Options;
  const isGiven = (option: string) => (values.at(-1) as Command).getOptionValueSource(option) === 'cli';
  const [isUrlGiven, isSessionGiven] = [isGiven('url'), isGiven('session')];
  const printsJson = isJson && !hasJsonFile(command);
  // A command that needs no sandbox has no such options, and does not use the client.
  const { url = '', session = 'default', controlToken } = options as Partial<ClientOptions>;
  const parameters = values
    .slice(0, -2)
    .flat()
    .filter((each) => typeof each === 'string');
  try {
    if (session === '') {
      throw new UsageError('--session takes a name, not an empty text');
    }
    const client = new SandboxClient({ url, session, controlToken });
    if (!command.skipsSandboxCheck && !command.needsNoSandbox) {
      await assertSandboxRuns(client);
    }
    const result = await command.run(client, parameters, { ...options, isUrlGiven, isSessionGiven });
    const kind = await show(result, printsJson, host.print);
    if (printsJson && result !== undefined && 'note' in result && result.note !== undefined) {
      host.complain(`${printableLines(result.note)}\n`);
    }
    return EXIT_CODES[kind];
  } catch (error) {
    if (!(error instanceof Error)) {
      throw error;
    }
    printError(error, host, printsJson, explainError(error, { url, controlToken }));
    const isWrongUsage =
      command.isUnknownOnError === true ||
      error instanceof UsageError ||
      (error instanceof ControlError && error.status === 400);
    return isWrongUsage ? EXIT_WRONG_USAGE : EXIT_REFUSED;
  }
}

function scriptFor(shell: string): string {
  const script = completionScript(shell);
  if (script === undefined) {
    throw new UsageError(`there is no completion for ${shell}${guessOrList(shell, SHELLS, 'the shells are')}`);
  }
  return script;
}

async function runStart(options: Options, environment: Environment): Promise<void> {
  const flags = Object.fromEntries(Object.entries(options).map(([name, value]) => [kebab(name), value]));
  const settings = resolveSettings(flags, environment);
  const { runSandbox } = await import('./commands/start.ts');
  await runSandbox(settings);
  // A log that nobody reads must not keep the process alive.
  process.exit(0);
}

function reportFailure(error: unknown, host: ProgramHost, isJson: boolean): number {
  const isExpected = [UsageError, SettingsError, FixtureError, StoreError].some((each) => error instanceof each);
  const code = codeOf(error);
  if (
    error instanceof Error &&
    (isExpected || code === 'EADDRINUSE' || code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
  ) {
    printError({ message: describeError(error) }, host, isJson);
    return EXIT_WRONG_USAGE;
  }
  host.complain(`${printableLines(inspect(error))}\n`);
  return EXIT_REFUSED;
}

/** Prints an error as lines of text, or as one JSON object; if the sandbox refused a call, with the members of its answer. */
function printError(error: { message: string }, host: ProgramHost, isJson: boolean, message = error.message): void {
  const problem = error instanceof ControlError ? error.problem : {};
  const lines = isJson
    ? [JSON.stringify({ ...problem, detail: message })]
    : message.split('\n').map((line) => `merchant-sandbox: ${line}`);
  for (const line of lines) {
    host.complain(`${printableLines(line)}\n`);
  }
}

function describeError(error: Error): string {
  if ('code' in error && (error.code === 'ENOTFOUND' || error.code === 'EADDRNOTAVAIL')) {
    return '--host names no address of this machine';
  }
  if ('code' in error && error.code === 'EADDRINUSE') {
    const port = 'port' in error ? `port ${error.port}` : 'the port';
    const flag = 'scheme' in error && error.scheme === 'https' ? '--https-port' : '--port';
    return `${port} is in use, perhaps by another sandbox: stop that, or choose another port with ${flag}`;
  }
  return error.message;
}
