import { readFileSync } from 'node:fs';
import { isMembers } from '../base/members.ts';
import { didYouMean } from '../base/text/nearest.ts';
import { wrongGiven, wrongValue } from './flag-values.ts';
import { FLAGS, type Settings } from './settings.ts';
import { variableOf } from './variables.ts';

/** Settings that cannot be used; the message has a line for each, which names the flag or setting. */
export class SettingsError extends Error {
  constructor(...problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'SettingsError';
  }
}

/**
 * Settings from, in order of weight, flags, environment, a config file (`--config`, JSON with the flags' names) and the
 * table's defaults. Throws SettingsError naming all that is wrong.
 */
export function resolveSettings(
  flags: Readonly<Record<string, string | boolean | undefined>>,
  environment: Readonly<Record<string, string | undefined>> = {},
): Readonly<Settings> {
  const configFile = flags['config'] ?? environment[variableOf('config')];
  const config = typeof configFile === 'string' ? readConfig(configFile) : {};
  const settings: Partial<Record<keyof Settings, unknown>> = {};
  const problems = unknownIn(config).map((words) => `--config ${configFile} ${words}`);
  for (const { name, flag: flagName, fallback, read } of FLAGS) {
    const sources = [
      [`--${flagName}`, flags[flagName]],
      [variableOf(flagName), environment[variableOf(flagName)]],
      [`${configFile}: ${flagName}`, config[flagName]],
    ] as const;
    const [source, value] = sources.find(([, each]) => each !== undefined) ?? [];
    try {
      settings[name] = value === undefined ? fallback : read(String(value));
    } catch (error) {
      problems.push(wrongValue(source, value, error));
    }
  }
  if (problems.length > 0) {
    throw new SettingsError(...problems);
  }
  return Object.freeze(settings as Settings);
}

/**
 * Settings as a program gives them, by their names in camel case; one that is undefined is left out. Throws SettingsError
 * naming every one that there is not, or that has a wrong value.
 */
export function takeSettings(given: unknown): Partial<Settings> {
  if (!isMembers(given)) {
    throw new SettingsError(`settings are an object such as { port: 4100 }, not ${JSON.stringify(given)}`);
  }
  const names = FLAGS.map(({ name }) => name);
  const settings: Partial<Record<keyof Settings, unknown>> = {};
  const problems: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    const row = FLAGS.find((each) => each.name === name);
    if (!row) {
      const near = didYouMean(name, names);
      problems.push(`unknown setting ${name}${near === '' ? `; there are ${names.join(', ')}` : near}`);
    } else if (value !== undefined) {
      try {
        settings[row.name] = row.take(value);
      } catch (error) {
        problems.push(wrongGiven(name, value, error));
      }
    }
  }
  if (problems.length > 0) {
    throw new SettingsError(...problems);
  }
  return settings as Partial<Settings>;
}

function readConfig(file: string): Record<string, unknown> {
  let config: unknown;
  try {
    config = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new SettingsError(`--config ${file} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
  if (!isMembers(config)) {
    throw new SettingsError(`--config ${file} must hold a JSON object`);
  }
  return config;
}

/** What a config file has that no flag has, in words. */
function unknownIn(config: Readonly<Record<string, unknown>>): string[] {
  const known = FLAGS.map((row) => row.flag);
  const unknown = Object.keys(config).filter((key) => key !== '$schema' && !known.includes(key));
  return unknown.map(
    (key) => `has the unknown flag ${key}${didYouMean(key, known)}; known flags are ${known.join(', ')}`,
  );
}
