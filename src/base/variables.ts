import { unlessEmpty } from './unless-empty.ts';

/** A setting's name as a flag: publicUrl → public-url. */
export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The environment variable of a flag: public-url → SANDBOX_PUBLIC_URL. */
export function variableOf(flagName: string): string {
  return `SANDBOX_${flagName.toUpperCase().replaceAll('-', '_')}`;
}

/** The variable that says where the running sandbox is, to commands, tests and whatever starts one for others. */
export const ADDRESS_VARIABLE = 'MERCHANT_SANDBOX_URL';

/** Variables that may say it; the first weighs more, since the other's name could be another program's. */
export const ADDRESS_VARIABLES: readonly string[] = [ADDRESS_VARIABLE, variableOf('url')];

/** The variable that says by which token it is steered, where it asks for one. */
export const TOKEN_VARIABLE = variableOf('control-token');

type Environment = Readonly<Record<string, string | undefined>>;

/** The token that the variable contains; undefined where it is empty. */
export function tokenFrom(environment: Environment): string | undefined {
  return unlessEmpty(environment[TOKEN_VARIABLE]);
}

/** Where the running sandbox is said to be, and which variable says so, if one does. Nothing is checked. */
export function addressFrom(environment: Environment): {
  url: string;
  source: string | undefined;
} {
  // Where a variable chose the port of a sandbox, as in a container, the commands beside it find it there.
  const port = variableOf('port');
  const source = [...ADDRESS_VARIABLES, port].find((variable) => unlessEmpty(environment[variable]) !== undefined);
  const value = source === undefined ? undefined : environment[source];
  return { url: value === undefined || source === port ? `http://127.0.0.1:${value ?? 4100}` : value, source };
}
