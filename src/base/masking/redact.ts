import { runSteps, type Steps } from '../steps.ts';
import { Masker } from './masker.ts';
import type { MaskRules } from './rules.ts';
import { SECRET_NAMES } from './secret-names.ts';

export const MASK = '***';

/** The rules of the request log, refusals and archives: secrets are masked, personal data is not, so that a developer can recognize the call. */
const RULES: MaskRules = {
  names: SECRET_NAMES,
  keepsShape: false,
  standIn: MASK,
  replaceNumber: (value, kind) => (kind === undefined ? value : MASK),
};

/**
 * A copy of a JSON value with its secrets masked; bytes are replaced by their count. Empty secrets, null and booleans
 * are not masked, because they reveal nothing. The return type is that of the input, although masked members are strings.
 */
export function redact<Value>(value: Value): Value {
  return runSteps(new Masker(RULES).maskValue(value) as Steps<Value>);
}

export function redactHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const masker = new Masker(RULES);
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      masker.maskName(name),
      runSteps(masker.maskHeader(name, String(value))),
    ]),
  );
}

/** A body that could not be parsed, such as broken JSON, with secrets masked by name and by form. */
export function redactText(text: string): string {
  return runSteps(new Masker(RULES).maskText(text, { isStructured: true }));
}

/** A sentence, an address or a value with the secrets in it masked. */
export function redactSentence(text: string): string {
  return runSteps(new Masker(RULES).maskText(text));
}

/** A valid or invalid address with its credentials masked: everything between its scheme and its last `@`. */
export function redactCredentials(address: string): string {
  return address.replace(/^("?(?:\w+:\/\/)?).*@/s, `$1${MASK}@`);
}
