#!/usr/bin/env node
import { Command, Option } from 'commander';
import { codeOf } from '../base/errors.ts';
import { VERSION } from '../base/package.ts';
import { didYouMean } from '../base/text/nearest.ts';
import { printableLines } from '../base/text/printable.ts';
import { SandboxClient } from '../client/client.ts';
import { ControlError } from '../client/control-error.ts';
import { FixtureError } from '../config/fixtures.ts';
import { resolveSettings, SettingsError } from '../config/resolve-settings.ts';
import { FLAGS } from '../config/settings.ts';
import { ADDRESS_VARIABLES, addressFrom, TOKEN_VARIABLE, variableOf } from '../config/variables.ts';
import { StoreError } from '../store/store.ts';
import { arrange } from './commands/arguments.ts';
import { type Command as ControlCommand, type Options, UsageError } from './commands/command.ts';
import { COMMANDS } from './commands/commands.ts';
import { COMPLETE_COMMAND, completionsOf } from './commands/completion.ts';
import { completionScript, SHELLS } from './commands/completion-scripts.ts';
import { expectSandbox } from './commands/readiness.ts';
import { whyRefused } from './commands/refused.ts';
import { show } from './commands/show.ts';

/** What a wrong flag, argument, filter, fixture or data file ends with. */
const EXIT_WRONG_USE = 2;
/** What a sandbox that is not there or says no ends with. */
const EXIT_REFUSED = 1;

const given = process.argv.slice(2);
const isJson = given.includes('--json');

const program = new Command('merchant-sandbox')
  .description('A local stand-in for a merchant payments service.')
  .version(VERSION)
  .addHelpText(
    'after',
    '\nFlags may stand before or after the command. Exit codes: 0 done, 1 refused or not found, 2 wrong use.',
  )
  .configureOutput({ outputError: (text) => complain({ message: text.replace(/^error: /, '').trim() }) })
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : EXIT_WRONG_USE));

const startCommand = program
  .command('start', { isDefault: true })
  .description('start the sandbox; what is done where no command is named')
  .option('--config <file>', `settings as JSON, by their flags' names [${variableOf('config')}]`)
  .action(run);
for (const { flag, value, fallback, fallbackText = fallback, help } of FLAGS) {
  const isNone = fallback === undefined || fallback === false || (Array.isArray(fallback) && fallback.length === 0);
  const shown = isNone ? '' : ` (default ${fallbackText})`;
  const words = `${help}${shown} [${variableOf(flag)}]`;
  startCommand.addOption(new Option(value === undefined ? `--${flag}` : `--${flag} <${value}>`, words));
}

for (const command of COMMANDS) {
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
  entry
    .option(
      '--url <address>',
      `the running sandbox [${ADDRESS_VARIABLES.join(', else ')}]`,
      addressFrom(process.env).url,
    )
    .option('--session <name>', 'the session to look into or to steer', 'default')
    // Described, so that help does not print a token.
    .addOption(
      new Option('--control-token <text>', `needed beyond loopback [${TOKEN_VARIABLE}]`).default(
        process.env[TOKEN_VARIABLE],
        "the variable's",
      ),
    )
    .option('--json', 'JSON for programs; refusals, too, on standard error')
    .action((...all) => talk(command, all));
}

// A reader that had enough of the output, such as `head`, ends neither a sandbox nor a command.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', () => undefined);
}

program
  .command('completion <shell>')
  .description(`print the script by which a shell completes commands, flags and names: ${SHELLS.join(', ')}`)
  .addHelpText(
    'after',
    '\nIn ~/.bashrc:               source <(merchant-sandbox completion bash)' +
      '\nIn ~/.zshrc, after compinit: source <(merchant-sandbox completion zsh)' +
      '\nFor fish: merchant-sandbox completion fish > ~/.config/fish/completions/merchant-sandbox.fish',
  )
  .action(printScript);

parse().catch(fail);

async function parse(): Promise<void> {
  if (given[0] === COMPLETE_COMMAND) {
    const completions = await completionsOf(given.slice(1), program);
    process.stdout.write(completions, () => process.exit(0));
  } else {
    await program.parseAsync(arrange(given, program), { from: 'user' });
  }
}

/** Commander hands over the arguments, then the options, then itself. */
async function talk(command: ControlCommand, all: unknown[]): Promise<void> {
  const options = all.at(-2) as Options;
  const { url, session, controlToken } = options as { url: string; session: string; controlToken?: string };
  const parameters = all
    .slice(0, -2)
    .flat()
    .filter((each) => typeof each === 'string');
  try {
    const client = new SandboxClient({ url, session, controlToken });
    if (!command.findsSandbox) {
      await expectSandbox(client);
    }
    const isWell = await show(await command.run(client, parameters, options), isJson);
    process.exitCode = isWell ? 0 : EXIT_REFUSED;
  } catch (error) {
    if (!(error instanceof Error)) {
      throw error;
    }
    complain(error, whyRefused(error, { url, controlToken }));
    const isWrongUse = error instanceof UsageError || (error instanceof ControlError && error.status === 400);
    process.exit(isWrongUse ? EXIT_WRONG_USE : EXIT_REFUSED);
  }
}

function printScript(shell: string): void {
  const script = completionScript(shell);
  if (script === undefined) {
    throw new UsageError(
      `there is no completion for ${shell}${didYouMean(shell, SHELLS)}; there is ${SHELLS.join(', ')}`,
    );
  }
  process.stdout.write(script);
}

async function run(options: Options): Promise<void> {
  try {
    const flags = Object.fromEntries(Object.entries(options).map(([name, value]) => [kebab(name), value]));
    const settings = resolveSettings(flags, process.env);
    const { runSandbox } = await import('./commands/start.ts');
    await runSandbox(settings);
    process.exit(0);
  } catch (error) {
    fail(error);
  }
}

function fail(error: unknown): never {
  const isOurs = [UsageError, SettingsError, FixtureError, StoreError].some((kind) => error instanceof kind);
  const code = codeOf(error);
  if (
    error instanceof Error &&
    (isOurs || code === 'EADDRINUSE' || code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
  ) {
    complain({ message: describe(error) });
    process.exit(EXIT_WRONG_USE);
  }
  console.error(error);
  process.exit(EXIT_REFUSED);
}

/** Says what went wrong: a line for each thing, or one JSON object, which is the sandbox's own where the sandbox said it. */
function complain(error: { message: string }, message = error.message): void {
  if (isJson) {
    const problem = error instanceof ControlError ? error.problem : {};
    console.error(printableLines(JSON.stringify({ ...problem, detail: message })));
    return;
  }
  for (const line of message.split('\n')) {
    console.error(printableLines(`merchant-sandbox: ${line}`));
  }
}

function describe(error: Error): string {
  if ('code' in error && (error.code === 'ENOTFOUND' || error.code === 'EADDRNOTAVAIL')) {
    return `--host names no address of this machine (${error.message})`;
  }
  return 'code' in error && error.code === 'EADDRINUSE'
    ? `the port is in use (${error.message}); choose another with ${'scheme' in error && error.scheme === 'https' ? '--https-port' : '--port'}`
    : error.message;
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
