import { isMembers } from '../../base/members.ts';
import { toMinorUnits } from '../../base/money.ts';
import { memberPath } from '../../base/schema/json-path.ts';
import { didYouMean } from '../../base/text/nearest.ts';
import { AdapterError } from '../shop/adapter.ts';
import type { AdapterCall } from './raw-adapter.ts';

/** `{{env.PORT}}`, and `{{env.PORT:-3000}}` with a default in the syntax of shells. */
const ENVIRONMENT = /\{\{\s*env\.([A-Za-z_]\w*)(?::-([^{}]*?))?\s*\}\}/g;
const PLACEHOLDER = /\{\{\s*(.*?)\s*\}\}/g;

/** The values of placeholders, by name. */
export type Values = Readonly<Record<string, string | number>>;

export function valuesOf({ order, orderId, channel, minutes }: AdapterCall): Values {
  return {
    ...(minutes === undefined ? {} : { minutes }),
    ...(channel === undefined ? {} : { channel }),
    ...(orderId === undefined ? {} : { orderId }),
    ...(order === undefined
      ? {}
      : {
          amount: order.amount,
          'amount.number': Number(order.amount),
          'amount.minorUnits': toMinorUnits(order.amount),
          currency: order.currency,
          channel: order.channel,
          'payer.name': order.payer.name,
          'payer.mobile': order.payer.mobile,
        }),
  };
}

export function fillIn(text: string, values: Values, encode: (value: string) => string = (value) => value): string {
  return text.replace(PLACEHOLDER, (_, name: string) => encode(String(values[name] ?? '')));
}

/** A text that is a single placeholder becomes its value, which may be a number. */
export function fillInJson(value: unknown, values: Values): unknown {
  return mapTexts(value, '$', (text) => {
    const [whole, name = ''] = [...text.matchAll(PLACEHOLDER)][0] ?? [];
    return whole === text ? (values[name] ?? '') : fillIn(text, values);
  });
}

/** Throws AdapterError for an unknown placeholder. */
export function assertPlaceholders(value: unknown, path: string, names: readonly string[]): void {
  mapTexts(value, path, (text, place) => {
    for (const [whole, name = ''] of text.matchAll(PLACEHOLDER)) {
      if (!names.includes(name)) {
        throw new AdapterError(
          `${place}: unknown placeholder ${whole}${didYouMean(name, names)} (available here: ${[...names, 'env.…'].join(', ')})`,
        );
      }
    }
    return text;
  });
}

/** Fills in environment variables, in all members or in those named. Throws AdapterError for a variable without a value or default. */
export function withEnvironment<Definition extends object>(
  definition: Definition,
  members: readonly string[] = Object.keys(definition),
): Definition {
  const entries = Object.entries(definition).map(([name, value]) => {
    return [name, members.includes(name) ? mapTexts(value, memberPath('$', name), fromEnvironment) : value];
  });
  return Object.fromEntries(entries);
}

function fromEnvironment(text: string, place: string): string {
  return text.replace(ENVIRONMENT, (whole, name: string, defaultValue: string | undefined) => {
    // As in a shell, an empty variable counts as not set.
    const value = process.env[name] || defaultValue;
    if (value === undefined) {
      throw new AdapterError(`${place}: ${whole} is not set; use {{env.${name}:-…}} to give a default`);
    }
    return value;
  });
}

function mapTexts(value: unknown, path: string, change: (text: string, path: string) => unknown): unknown {
  if (typeof value === 'string') {
    return change(value, path);
  }
  if (Array.isArray(value)) {
    return value.map((each, index) => mapTexts(each, memberPath(path, index), change));
  }
  return isMembers(value)
    ? Object.fromEntries(
        Object.entries(value).map(([name, each]) => [name, mapTexts(each, memberPath(path, name), change)]),
      )
    : value;
}
