// How the values of flags are read: each throws a sentence that ends "--<flag> …" where a text has no value.
import { redactCredentials } from '../redact.ts';
import { INSTANT_WORDS, isInstant, parseInstant } from '../time.ts';
import { parseUrl } from '../url.ts';

export function whole(least: number, most: number): (text: string) => number {
  return (value) => {
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= least && number <= most)) {
      throw new Error(`must be a whole number from ${least} to ${most}`);
    }
    return number;
  };
}

export function oneOf<Value extends string>(...values: Value[]): (text: string) => Value {
  return (value) => {
    const found = values.find((each) => each === value);
    if (found === undefined) {
      throw new Error(`must be one of ${values.join(', ')}`);
    }
    return found;
  };
}

export function instant(value: string): number {
  if (!isInstant(value)) {
    throw new Error(`must be ${INSTANT_WORDS}`);
  }
  return parseInstant(value);
}

export function walletNames(value: string): Record<string, string[]> {
  const names = new Map<string, string[]>();
  for (const pair of value.split(',')) {
    const [, channel, name] = /^([^=]+)=(.+)$/.exec(pair) ?? [];
    if (channel === undefined || name === undefined || name.trim() === '') {
      throw new Error('must be channel=name pairs by comma, such as qr-wallet=NameA,mobile-money=NameB');
    }
    names.set(channel.trim(), [...(names.get(channel.trim()) ?? []), name.trim()]);
  }
  return Object.fromEntries(names);
}

/** A base address. The sentence that refuses another text shows the example. */
export function baseAddress(example: string): (text: string) => string {
  return (value) => {
    const url = httpAddress(value);
    if (!url || url.search || url.hash) {
      throw new Error(`must be an http or https address such as ${example}`);
    }
    return value.replace(/\/+$/, '');
  };
}

export function webhookAddress(value: string): string {
  if (!httpAddress(value)) {
    throw new Error('must be an http or https address without credentials, such as http://127.0.0.1:3000/webhooks');
  }
  return value;
}

function httpAddress(value: string): URL | undefined {
  const url = parseUrl(value);
  return url && ['http:', 'https:'].includes(url.protocol) && !url.username && !url.password ? url : undefined;
}

/** The line for a value that could not be read: where it came from, what it must be, and what it is. */
export function wrongValue(source: string | undefined, value: unknown, error: unknown): string {
  const rule = error instanceof Error ? error.message : error;
  return `${source} ${rule}, not ${redactCredentials(JSON.stringify(value))}`;
}
