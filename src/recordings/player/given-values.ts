import { isMembers, ownMember } from '../../base/members.ts';
import type { RecordedBody } from '../../base/schema/recordings.ts';
import { jsonOf } from '../body.ts';
import { MASKED } from '../masks/stand-ins.ts';
import type { SentCall } from './carried-values.ts';

/** Values that a recording has masked, by the name of the member, part, parameter or header. */
export type GivenValues = Readonly<Record<string, string | number | boolean>>;

/** A call with the values that are given by name. */
export function withValues({ method, target, headers, body }: SentCall, values: GivenValues): SentCall {
  const [path = '', ...query] = target.split('?');
  const members = query
    .join('?')
    .split('&')
    .map((member) => {
      const [name = ''] = member.split('=');
      const value = ownMember(values, name);
      return value === undefined ? member : `${name}=${encodeURIComponent(String(value))}`;
    });
  const byHeader = new Map(Object.entries(values).map(([name, value]) => [name.toLowerCase(), String(value)]));
  return {
    method,
    target: query.length === 0 ? path : `${path}?${members.join('&')}`,
    headers: headers.map(({ name, value }) => ({ name, value: byHeader.get(name.toLowerCase()) ?? value })),
    body: inBody(body, values),
  };
}

function inBody(body: RecordedBody, values: GivenValues): RecordedBody {
  if (body && 'json' in body) {
    return { json: inJson(body.json, values) as typeof body.json };
  }
  if (body && 'form' in body) {
    const form = body.form.map((part) => {
      const value = ownMember(values, part.name);
      return 'value' in part && value !== undefined ? { name: part.name, value: String(value) } : part;
    });
    return { form };
  }
  return body;
}

function inJson(value: unknown, values: GivenValues): unknown {
  if (Array.isArray(value)) {
    return value.map((each) => inJson(each, values));
  }
  return isMembers(value)
    ? Object.fromEntries(
        Object.entries(value).map(([name, member]) => [name, ownMember(values, name) ?? inJson(member, values)]),
      )
    : value;
}

/** The names of what is still masked in a call. */
export function maskedIn({ target, headers, body }: SentCall): string[] {
  const parameters = [...new URLSearchParams(target.replace(/^[^?]*\??/, ''))];
  const pairs = [...parameters, ...headers.map(({ name, value }) => [name, value] as const), ...textsIn(body)];
  return pairs.flatMap(([name, value]) => (MASKED.test(value) ? [name] : []));
}

function textsIn(body: RecordedBody): (readonly [string, string])[] {
  if (body && 'form' in body) {
    return body.form.flatMap((part) => ('value' in part ? [[part.name, part.value] as const] : []));
  }
  return textsBelow('', jsonOf(body));
}

function textsBelow(name: string, value: unknown): (readonly [string, string])[] {
  if (typeof value === 'string') {
    return [[name, value]];
  }
  const members = Array.isArray(value)
    ? value.map((each) => [name, each] as const)
    : isMembers(value)
      ? Object.entries(value)
      : [];
  return members.flatMap(([member, each]) => textsBelow(member, each));
}
