import { messageOf } from '../../base/errors.ts';
import { wrongOptionMessage, wrongValueMessage } from '../../base/flag-values.ts';
import { isMembers } from '../../base/members.ts';
import { guessOrList } from '../../base/text/nearest.ts';
import { unlessEmpty } from '../../base/unless-empty.ts';
import { variableOf } from '../../base/variables.ts';
import { readJsonFile } from '../../base/written-file.ts';
import { FLAGS, type SettingFlag, type Settings } from './settings.ts';

/** Settings that cannot be used. The message has a line for each, with the flag or setting. */
export class SettingsError extends Error {
  constructor(...problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'SettingsError';
  }
}

/**
 * Settings from flags, environment variables, a config file (`--config`, JSON with the flags' names) and the table's defaults, in this
 * order of precedence. An empty value counts as unset. Throws SettingsError.
 */
export function resolveSettings(
  flags: Readonly<Record<string, string | boolean | undefined>>,
  environment: Readonly<Record<string, string | undefined>> = {},
): Readonly<Settings> {
  const configFile = unlessEmpty(flags['config']) ?? unlessEmpty(environment[variableOf('config')]);
  const config = typeof configFile === 'string' ? readConfig(configFile) : {};
  const settings: Partial<Record<keyof Settings, unknown>> = {};
  const problems = findUnknownFlags(config).map((problem) => `--config ${configFile} ${problem}`);
  for (const row of FLAGS) {
    const { name, flag: flagName, fallback, fromText } = row;
    const sources = [
      [`--${flagName}`, flags[flagName]],
      [variableOf(flagName), environment[variableOf(flagName)]],
      [`${configFile}: ${flagName}`, config[flagName]],
    ] as const;
    const [source, value] = sources.find(([, each]) => unlessEmpty(each) !== undefined) ?? [];
    try {
      settings[name] = value === undefined ? fallback : fromText(asText(value, row));
    } catch (error) {
      problems.push(wrongValueMessage(source, value, error));
    }
  }
  if (problems.length > 0) {
    throw new SettingsError(...problems);
  }
  return Object.freeze(settings as Settings);
}

/**
 * Settings that a program passes, by their names in camel case; empty values are omitted. Throws SettingsError with every setting
 * that does not exist or has an invalid value.
 */
export function parseSettings(input: unknown): Partial<Settings> {
  if (!isMembers(input)) {
    throw new SettingsError(`settings are an object such as { port: 4100 }, not ${JSON.stringify(input)}`);
  }
  const names = FLAGS.map(({ name }) => name);
  const settings: Partial<Record<keyof Settings, unknown>> = {};
  const problems: string[] = [];
  for (const [name, value] of Object.entries(input)) {
    const row = FLAGS.find((each) => each.name === name);
    if (!row) {
      problems.push(`unknown setting ${name}${guessOrList(name, names, 'known settings are')}`);
    } else if (unlessEmpty(value) !== undefined) {
      try {
        settings[row.name] = row.fromProgram(value);
      } catch (error) {
        problems.push(wrongOptionMessage(name, value, error));
      }
    }
  }
  if (problems.length > 0) {
    throw new SettingsError(...problems);
  }
  return settings as Partial<Settings>;
}

/** A value as text, as on the command line. Throws Error for other types; `false`, for example, must not become a token. */
function asText(value: unknown, { value: placeholder }: SettingFlag): string {
  const isList = Array.isArray(value) && value.every((each) => typeof each === 'string');
  const isPlain = typeof value === 'boolean' ? placeholder === undefined : /^(string|number)$/.test(typeof value);
  if (!isList && !isPlain) {
    throw new Error(placeholder === undefined ? 'must be true or false' : 'must be a string or a number');
  }
  return String(value);
}

function readConfig(file: string): Record<string, unknown> {
  let config: unknown;
  try {
    config = readJsonFile(file);
  } catch (error) {
    throw new SettingsError(`--config ${file} ${messageOf(error)}`);
  }
  if (!isMembers(config)) {
    throw new SettingsError(`--config ${file} must contain a JSON object`);
  }
  return config;
}

function findUnknownFlags(config: Readonly<Record<string, unknown>>): string[] {
  const flags = FLAGS.map((row) => row.flag);
  const unknownKeys = Object.keys(config).filter((key) => key !== '$schema' && !flags.includes(key));
  return unknownKeys.map((key) => `has the unknown flag ${key}${guessOrList(key, flags, 'known flags are')}`);
}
