import { redact, redactHeaders, redactSentence, redactText } from '../../base/masking/redact.ts';
import { isMembers, type Members } from '../../base/members.ts';
import { cutToSize, MOST, weigh } from '../sessions/log-weight.ts';
import type { LoggedRequest } from '../sessions/request-log.ts';
import type { BodyResult } from './request-body/request-body.ts';
import type { SentAnswer } from './send-answer.ts';

type Body = Pick<BodyResult, 'value' | 'repeated'>;

/** Of a large body only the beginning is masked, because no more of it is shown. */
export function maskedBody({ value, repeated = [] }: Body): Pick<LoggedRequest, 'body' | 'parts'> {
  const light = withoutBytes(value);
  const shown = cutToSize(light, redactText);
  const body = shown === light ? redact(light) : shown;
  // Each part is an object by itself, because an object has a name once.
  const parts = repeated.map(([name, part]) => withoutBytes({ [name]: part }));
  return parts.length === 0 || weigh(parts) > MOST
    ? { body }
    : { body, parts: redact(parts).flatMap((part) => Object.entries(part)) };
}

/** A form with the bytes of its files as their count. */
function withoutBytes<Value>(body: Value): Value | Members {
  const isForm = isMembers(body) && Object.values(body).some((part) => isMembers(part) && 'bytes' in part);
  const lighter = (part: unknown) =>
    isMembers(part) && part['bytes'] instanceof Uint8Array ? { ...part, bytes: `${part['bytes'].length} bytes` } : part;
  return isForm ? Object.fromEntries(Object.entries(body).map(([name, part]) => [name, lighter(part)])) : body;
}

export function maskedAnswer({ status, headers, text }: SentAnswer): LoggedRequest['answer'] {
  try {
    return { status, headers: redactHeaders(headers), body: JSON.stringify(redact(JSON.parse(text))) };
  } catch {
    // A fault may send what is no JSON, or nothing.
    return { status, headers: redactHeaders(headers), body: redactSentence(text) };
  }
}
