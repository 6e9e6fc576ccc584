import { estimateBytes } from '../../base/estimate-bytes.ts';
import { redact, redactHeaders, redactSentence, redactText } from '../../base/masking/redact.ts';
import { isMembers, type Members } from '../../base/members.ts';
import type { LoggedRequest } from '../sessions/request-log.ts';
import type { BodyResult } from './request-body/request-body.ts';
import type { SentAnswer } from './send-answer.ts';

/** Maximum size of a body that is logged completely; of a larger one only the beginning is logged. */
export const MAX_LOGGED_BYTES = 256 * 1024;
const BEGINNING_LENGTH = 4096;

type Body = Pick<BodyResult, 'value' | 'allParts'>;

/** Of a large body only the beginning is masked, because no more of it is shown. */
export function maskBody({ value, allParts = [] }: Body): Pick<LoggedRequest, 'body' | 'parts'> {
  const withoutFiles = withoutBytes(value);
  const shortened = cutToSize(withoutFiles, redactText);
  const body = shortened === withoutFiles ? redact(withoutFiles) : shortened;
  // Each part is a separate object, because a name occurs only once in an object.
  const parts = allParts.map(([name, part]) => withoutBytes({ [name]: part }));
  return parts.length === 0 || estimateBytes(parts) > MAX_LOGGED_BYTES
    ? { body }
    : { body, parts: redact(parts).flatMap((part) => Object.entries(part)) };
}

/** The body with the bytes of each file replaced by their number. */
function withoutBytes<Value>(body: Value): Value | Members {
  const hasFile = isMembers(body) && Object.values(body).some((part) => isMembers(part) && 'bytes' in part);
  const withSize = (part: unknown) =>
    isMembers(part) && part['bytes'] instanceof Uint8Array ? { ...part, bytes: `${part['bytes'].length} bytes` } : part;
  return hasFile ? Object.fromEntries(Object.entries(body).map(([name, part]) => [name, withSize(part)])) : body;
}

export function maskAnswer({ status, headers, text }: SentAnswer): LoggedRequest['answer'] {
  try {
    return { status, headers: redactHeaders(headers), body: cutToSize(JSON.stringify(redact(JSON.parse(text)))) };
  } catch {
    // A fault may send a body that is not JSON, or none.
    return { status, headers: redactHeaders(headers), body: cutToSize(redactSentence(text)) };
  }
}

/** Replaces a large value by its beginning, as `mask` returns it, and its size. */
function cutToSize<Value>(value: Value, mask = (beginning: string) => beginning): Value | string {
  if (estimateBytes(value) <= MAX_LOGGED_BYTES) {
    return value;
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // Copied, because a slice would keep the whole text in memory.
  const beginning = Buffer.from(text.slice(0, BEGINNING_LENGTH)).toString();
  return `${mask(beginning)}… (${text.length.toLocaleString('en')} characters in all, cut for the request log)`;
}
