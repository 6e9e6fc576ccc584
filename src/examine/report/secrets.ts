import { MASK } from '../../base/masking/redact.ts';
import { EXAMINATION_SECRET } from '../../base/sample-merchant.ts';

/** The secret of an endpoint, also as part of a URL. */
const ENDPOINT_SECRET = /(?<!\w)whsec_(?:[A-Za-z0-9+/]|%2[BF]){4,}(?:=|%3D){0,2}/gi;

/** A JSON copy without the user's endpoint secrets, because reports are uploaded and sent to others. */
export function withoutSecrets<Value>(value: Value): Value {
  const text = JSON.stringify(value);
  return JSON.parse(text.replaceAll(ENDPOINT_SECRET, (secret) => (secret === EXAMINATION_SECRET ? secret : MASK)));
}

/** Whether a text contains a secret that the user gave. */
export function hasSecret(text: string): boolean {
  return secretsIn(text).length > 0;
}

/** A text as a JavaScript expression, with the constant SECRET in place of secrets that the user gave. */
export function expressionOf(text: string): string {
  return secretsIn(text).reduce((expression, secret) => {
    const name = secret.includes('%') ? 'encodeURIComponent(SECRET)' : 'SECRET';
    return expression.replaceAll(secret, `" + ${name} + "`);
  }, JSON.stringify(text));
}

function secretsIn(text: string): string[] {
  return [...new Set(text.match(ENDPOINT_SECRET))].filter((secret) => secret !== EXAMINATION_SECRET);
}
