// Parsers for the values of flags. Each throws an Error for an invalid value; its message continues "--<flag> …".

import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { CATCH_URL } from './catch.ts';
import { INTEGRATION_KINDS } from './finding-kinds.ts';
import { redactCredentials } from './masking/redact.ts';
import { isSecretName } from './masking/secret-names.ts';
import { isMembers } from './members.ts';
import { describeReceived } from './schema/describe.ts';
import { parseUrl } from './text/url.ts';
import { addDuration, INSTANT_WORDS, isClockInstant, isDuration, isOnClock, parseInstant } from './time.ts';

/** Parses the values of one kind of setting, from a text or from a program's own value. */
export interface ValueKind<Value> {
  fromText(text: string): Value;
  fromProgram(given: unknown): Value;
}

/** A kind of value that programs also pass as a string. */
function textKind<Value>(fromText: (text: string) => Value): ValueKind<Value> {
  return {
    fromText,
    fromProgram(given) {
      if (typeof given !== 'string') {
        throw new Error('must be a string');
      }
      return fromText(given);
    },
  };
}

export const text = textKind((value) => value);

/** A text for a header. It is trimmed, because the text of a file ends with a newline. */
export const headerValue = textKind((value) => {
  const trimmed = value.trim();
  if (!/^[ -~]+$/.test(trimmed)) {
    throw new Error('must be a text of visible ASCII characters, since it is sent in a header');
  }
  return trimmed;
});

export const yesOrNo: ValueKind<boolean> = {
  fromText: (value) => oneOf('true', 'false').fromText(value) === 'true',
  fromProgram(given) {
    if (typeof given !== 'boolean') {
      throw new Error('must be true or false');
    }
    return given;
  },
};

export function wholeNumber(least: number, most: number): ValueKind<number> {
  const check = (number: unknown) => {
    if (!(Number.isInteger(number) && Number(number) >= least && Number(number) <= most)) {
      throw new Error(`must be a whole number from ${least} to ${most}`);
    }
    return Number(number);
  };
  return { fromText: (value) => check(/^\d+$/.test(value) ? Number(value) : undefined), fromProgram: check };
}

export function oneOf<Value extends string>(...values: Value[]): ValueKind<Value> {
  return textKind((value) => {
    const found = values.find((each) => each === value);
    if (found === undefined) {
      throw new Error(`must be one of ${values.join(', ')}`);
    }
    return found;
  });
}

/** An instant; programs may also give milliseconds, as from Date.parse. */
export const instant: ValueKind<number> = {
  fromText(value) {
    if (!isClockInstant(value)) {
      throw new Error(`must be ${INSTANT_WORDS}`);
    }
    return parseInstant(value);
  },
  fromProgram(given) {
    if (typeof given === 'number' && isOnClock(given)) {
      return given;
    }
    return instant.fromText(typeof given === 'string' ? given : '');
  },
};

/** The shortest accepted duration, because calls between machines can take almost as long. */
const MIN_DURATION_MS = 100;

/** A duration in milliseconds, written as PT90S or 90s; programs may also give milliseconds. */
export const duration: ValueKind<number> = {
  fromText(value) {
    const milliseconds = isDuration(value) ? addDuration(0, value) : 0;
    if (milliseconds < MIN_DURATION_MS) {
      throw new Error('must be a duration of a tenth of a second or more, such as 5s, PT5S or P7D');
    }
    return milliseconds;
  },
  fromProgram: (given) =>
    typeof given === 'string'
      ? duration.fromText(given)
      : wholeNumber(MIN_DURATION_MS, Number.MAX_SAFE_INTEGER).fromProgram(given),
};

/** Names by channel, which programs pass as an object of lists. */
export const walletNames: ValueKind<Readonly<Record<string, readonly string[]>>> = {
  fromText(value) {
    const names = new Map<string, string[]>();
    for (const pair of value.split(',')) {
      const [, channel, name] = /^([^=]+)=(.+)$/.exec(pair) ?? [];
      if (channel === undefined || name === undefined || name.trim() === '') {
        throw new Error('must be channel=name pairs separated by commas, such as qr-wallet=NameA,mobile-money=NameB');
      }
      names.set(channel.trim(), [...(names.get(channel.trim()) ?? []), name.trim()]);
    }
    return Object.fromEntries(names);
  },
  fromProgram(given) {
    const lists = isMembers(given) ? Object.entries(given) : [];
    const named = lists.flatMap(([channel, names]): [string, string[]][] => (isTexts(names) ? [[channel, names]] : []));
    if (!isMembers(given) || named.length < lists.length) {
      throw new Error("must be lists of names by channel, such as { 'qr-wallet': ['NameA'] }");
    }
    return Object.fromEntries(named);
  },
};

/** Texts separated by commas, which programs pass as a list. `words`: their name and an example, for the message. */
function listOf(words: string, parseItem: (each: string) => string = (each) => each): ValueKind<readonly string[]> {
  return {
    fromText: (value) => value.split(',').map((each) => parseItem(each.trim())),
    fromProgram(given) {
      if (!isTexts(given)) {
        throw new Error(`must be a list of ${words}`);
      }
      return given.map(parseItem);
    },
  };
}

export const hostNames = listOf("host names, such as ['localhost']");
export const findingIds = listOf("ids of findings, such as ['SBX-W07']", findingId);
export const sessionNames = listOf("names of sessions, such as ['shop']");
/** Host names and addresses for certificates. Names are converted to ASCII, and may begin with `*.`. */
export const certificateHosts = listOf("host names and addresses, such as ['api.provider.example']", certificateHost);

function findingId(id: string): string {
  const knownIds: readonly string[] = Object.values(INTEGRATION_KINDS).map((kind) => kind.id);
  if (!knownIds.includes(id)) {
    throw new Error(`must be ids separated by commas, each one of ${knownIds.join(', ')}`);
  }
  return id;
}

const HOST_NAME = /^(?:\*\.)?(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

function certificateHost(host: string): string {
  const ascii = isIP(host) === 0 ? domainToASCII(host) : host;
  if (isIP(ascii) === 0 && (ascii.length > 253 || !HOST_NAME.test(ascii))) {
    throw new Error('must be only host names and addresses, such as api.provider.example,192.0.2.1');
  }
  return ascii;
}

function isTexts(given: unknown): given is string[] {
  return Array.isArray(given) && given.every((each) => typeof each === 'string' && each.trim() !== '');
}

/** Whether a value contains only texts and lists of texts, without secrets, so that its JSON can be shown. */
function isShowable(given: unknown): boolean {
  const isText = (each: unknown) => typeof each === 'string' || isTexts(each);
  const members = isMembers(given) ? Object.entries(given) : [];
  return isTexts(given) || (members.length > 0 && members.every(([name, each]) => !isSecretName(name) && isText(each)));
}

/** `example` is for the message. */
export function baseAddress(example: string): ValueKind<string> {
  return textKind((value) => {
    const url = httpAddress(value);
    if (!url || url.search || url.hash) {
      throw new Error(`must be an http or https address such as ${example}`);
    }
    return value.replace(/\/+$/, '');
  });
}

/** The address at which other nodes reach this one: only host and port, because calls are forwarded with their own path. */
export const nodeAddress = textKind((value) => {
  const url = httpAddress(value);
  if (url?.protocol !== 'http:' || url.pathname !== '/' || url.search || url.hash) {
    throw new Error(
      'must be a plain http address such as http://10.0.0.5:4100, since nodes call each other without TLS',
    );
  }
  return url.origin;
});

export const webhookAddress = textKind((value) => {
  if (value !== CATCH_URL && (!httpAddress(value) || value.length > 2000)) {
    throw new Error(
      `must be an http or https address of at most 2000 characters, without credentials, such as http://127.0.0.1:3000/webhooks, or ${CATCH_URL}`,
    );
  }
  return value;
});

function httpAddress(value: string): URL | undefined {
  const url = parseUrl(value);
  return url && ['http:', 'https:'].includes(url.protocol) && !url.username && !url.password ? url : undefined;
}

export function wrongValueMessage(source: string | undefined, value: unknown, error: unknown): string {
  const rule = error instanceof Error ? error.message : error;
  return `${source} ${rule}, not ${redactCredentials(JSON.stringify(value))}`;
}

/** A value that only the command `start` accepts, because a program that starts a sandbox itself does not need it. */
export function commandOnly<Value>({ fromText }: ValueKind<Value>): ValueKind<Value> {
  return {
    fromText,
    fromProgram() {
      throw new Error('must be undefined (only the command accepts it)');
    },
  };
}

/** Like `wrongValueMessage`, for a value from a program. */
export function wrongOptionMessage(name: string, given: unknown, error: unknown): string {
  const rule = error instanceof Error ? error.message : error;
  return `${name} ${rule}, not ${describeGiven(name, given)}`;
}

function describeGiven(name: string, given: unknown): string {
  if (typeof given === 'string') {
    return `the string ${redactCredentials(JSON.stringify(given))}`;
  }
  if (!isSecretName(name) && isShowable(given)) {
    return redactCredentials(JSON.stringify(given));
  }
  return ['function', 'symbol', 'bigint'].includes(typeof given) ? `a ${typeof given}` : describeReceived(name, given);
}
