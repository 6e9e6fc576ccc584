import { redact, redactHeaders, redactSentence, redactText } from '../../base/masking/redact.ts';
import { isMembers } from '../../base/members.ts';
import { cutToSize } from '../sessions/log-weight.ts';
import type { LoggedRequest } from '../sessions/request-log.ts';
import type { SentAnswer } from './send-answer.ts';

/** Of a large body only the beginning is masked, because no more of it is shown. */
export function maskedBody(body: unknown): unknown {
  const light = withoutBytes(body);
  const shown = cutToSize(light, redactText);
  return shown === light ? redact(light) : shown;
}

/** A form with the bytes of its files as their count. */
function withoutBytes(body: unknown): unknown {
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
