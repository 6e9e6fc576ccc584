#!/usr/bin/env node
import { Command, Option } from 'commander';
import { SandboxClient } from './client/client.ts';
import { bannerOf } from './commands/banner.ts';
import { COMMANDS, type Command as ControlCommand } from './commands/commands.ts';
import { show } from './commands/show.ts';
import { FixtureError } from './config/fixtures.ts';
import { FLAGS, resolveSettings, SettingsError, variableOf } from './config/settings.ts';
import { VERSION } from './package.ts';
import { start } from './sandbox.ts';
import { StoreError } from './store/store.ts';

/** What a wrong flag, fixture or data file ends with. */
const EXIT_WRONG_SETUP = 2;

const program = new Command('merchant-sandbox')
  .description('A local stand-in for a merchant payments service.')
  .version(VERSION)
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : EXIT_WRONG_SETUP));

const startCommand = program
  .command('start', { isDefault: true })
  .description('start the sandbox')
  .option('--config <file>', `settings as JSON, by their flags' names [${variableOf('config')}]`)
  .argument('[nothing]')
  .usage('[options]')
  .action((word: string | undefined, options) => (word === undefined ? run(options) : refuseCommand(word)));
for (const { flag, value, fallback, help } of FLAGS) {
  const fallbackText = fallback === undefined || fallback === false ? '' : ` (default ${fallback})`;
  const words = `${help}${fallbackText} [${variableOf(flag)}]`;
  startCommand.addOption(new Option(value === undefined ? `--${flag}` : `--${flag} <${value}>`, words));
}

for (const command of COMMANDS) {
  const entry = program.command(command.name).description(command.help);
  for (const parameter of command.parameters) {
    entry.argument(parameter);
  }
  entry
    .option(
      '--url <address>',
      `the running sandbox [${variableOf('url')}]`,
      process.env[variableOf('url')] ?? 'http://127.0.0.1:4100',
    )
    .option('--session <name>', 'the session to steer', 'default')
    .option(
      '--control-token <text>',
      `needed beyond loopback [${variableOf('control-token')}]`,
      process.env[variableOf('control-token')],
    )
    .option('--json', 'for programs instead of people')
    .action((...given) => talk(command, given));
}

await program.parseAsync();

/** Commander hands over the arguments, then the options, then itself. */
async function talk(command: ControlCommand, given: unknown[]): Promise<void> {
  const { url, session, controlToken, json } = given.at(-2) as {
    url: string;
    session: string;
    controlToken?: string;
    json?: true;
  };
  try {
    const client = new SandboxClient({ url, session, controlToken });
    const shown = await command.run(client, given.slice(0, -2).flat() as (string | undefined)[]);
    await show(shown, command.columns, json === true);
  } catch (error) {
    const { cause, message } = error as Error;
    const isAway = cause !== undefined && message === 'fetch failed';
    console.error(
      `merchant-sandbox: ${isAway ? `no sandbox answers at ${url}; start one, or name it with --url` : message}`,
    );
    process.exit(1);
  }
}

async function run(options: Record<string, string | boolean | undefined>): Promise<void> {
  try {
    const flags = Object.fromEntries(Object.entries(options).map(([name, value]) => [kebab(name), value]));
    const settings = resolveSettings(flags, process.env);
    const sandbox = await start(settings);
    if (!settings.quiet) {
      console.log(bannerOf(sandbox));
    }
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => {
        sandbox.close().then(
          () => process.exit(0),
          (error) => fail(error),
        );
      });
    }
  } catch (error) {
    fail(error);
  }
}

/** A word that is no command reaches the default one as its argument. */
function refuseCommand(word: string): never {
  const known = program.commands.map((command) => command.name()).join(', ');
  fail(new SettingsError(`there is no command ${word}; there are ${known}`));
}

function fail(error: unknown): never {
  const isOurs = error instanceof SettingsError || error instanceof FixtureError || error instanceof StoreError;
  const { code } = error as NodeJS.ErrnoException;
  if (isOurs || code === 'EADDRINUSE' || code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    console.error(`merchant-sandbox: ${describe(error as Error)}`);
    process.exit(EXIT_WRONG_SETUP);
  }
  console.error(error);
  process.exit(1);
}

function describe(error: Error): string {
  return 'code' in error && error.code === 'EADDRINUSE'
    ? `the port is in use (${error.message}); choose another with --port`
    : error.message;
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
