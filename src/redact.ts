const MASK = '***';

/** Members whose values are secrets, wherever they stand in a body. */
const SECRET_MEMBERS = new Set(
  [
    'merchantApiKey',
    'merchantKey',
    'token',
    'paymentToken',
    'recurringPaymentToken',
    'authorization',
    'secret',
    'password',
    'pin',
    'cardNumber',
    'cvv',
  ].map((name) => name.toLowerCase()),
);
const SECRET_HEADERS = new Set(['authorization', 'cookie', 'x-sandbox-control-token']);

/** A copy of a JSON value with every secret masked; empty secrets stay, they tell something. */
export function redact(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(redact);
  }
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) {
    return Buffer.isBuffer(value) ? `${value.length} bytes` : value;
  }
  const copy: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    const isSecret = SECRET_MEMBERS.has(key.toLowerCase()) && typeof member === 'string' && member !== '';
    copy[key] = isSecret ? MASK : redact(member);
  }
  return copy;
}

/** Request headers with those masked that authorise. */
export function redactHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const copy: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    copy[name] = SECRET_HEADERS.has(name.toLowerCase()) ? MASK : String(value);
  }
  return copy;
}
