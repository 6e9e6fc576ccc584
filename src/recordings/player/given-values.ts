import { MASKED } from '../masks/stand-ins.ts';
import { mapValues, type SentCall } from './call-values.ts';

/** Values that a recording has masked, by the name of the member, part, parameter or header. */
export type GivenValues = Readonly<Record<string, string | number>>;

/** A call with the values that are given by name, in capitals or small letters. What was sent empty stays so. */
export function withValues(call: SentCall, values: GivenValues): SentCall {
  const given = new Map(Object.entries(values).map(([name, value]) => [name.toLowerCase(), String(value)]));
  return mapValues(call, (name, value) => (value === '' ? value : (given.get(name.toLowerCase()) ?? value)));
}

/** The names of what is still masked in a call. */
export function maskedIn(call: SentCall): string[] {
  const names: string[] = [];
  mapValues(call, (name, value) => {
    if (MASKED.test(value)) {
      names.push(name);
    }
    return value;
  });
  return names;
}
