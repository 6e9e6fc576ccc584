// How the values of flags are read: each throws a sentence that ends "--<flag> …" where a text has no value.
import { INSTANT_WORDS, isInstant, parseInstant } from '../time.ts';

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

export function baseAddress(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.search || url.hash || url.username) {
    throw new Error('must be an http or https address such as http://192.0.2.1:4100');
  }
  return value.replace(/\/+$/, '');
}
