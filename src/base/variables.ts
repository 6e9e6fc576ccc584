import { unlessEmpty } from './unless-empty.ts';

/** A setting's name as a flag: publicUrl → public-url. */
export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The environment variable of a flag: public-url → SANDBOX_PUBLIC_URL. */
export function variableOf(flagName: string): string {
  return `SANDBOX_${flagName.toUpperCase().replaceAll('-', '_')}`;
}

/** The variable with the address of the running sandbox, for commands and tests. */
export const ADDRESS_VARIABLE = 'MERCHANT_SANDBOX_URL';

/** Variables that may contain the address. The first takes precedence, because the other's name could belong to another program. */
export const ADDRESS_VARIABLES: readonly string[] = [ADDRESS_VARIABLE, variableOf('url')];

export const TOKEN_VARIABLE = variableOf('control-token');

type Environment = Readonly<Record<string, string | undefined>>;

export function tokenFrom(environment: Environment): string | undefined {
  return unlessEmpty(environment[TOKEN_VARIABLE]);
}

/** The address of the running sandbox, and the variable that it is from, if any. It is not checked. */
export function addressFrom(environment: Environment): { url: string; source: string | undefined } {
  // If a variable sets the sandbox's port, as in a container, commands in the same environment use it, too.
  const port = variableOf('port');
  const source = [...ADDRESS_VARIABLES, port].find((variable) => unlessEmpty(environment[variable]) !== undefined);
  const value = source === undefined ? undefined : environment[source];
  return { url: value === undefined || source === port ? `http://127.0.0.1:${value ?? 4100}` : value, source };
}
