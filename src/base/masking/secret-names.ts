import { isLetter } from './character-classes.ts';
import { NameList } from './name-list.ts';
import type { NamedKind } from './places.ts';

/** Names of secrets, in upper or lower case, with any separators. */
const WHOLE = [
  ...['token', 'tokens', 'secret', 'jwt', 'bearer', 'auth', 'xAuth', 'sid', 'csrf', 'xCsrf', 'xsrf', 'dpop'],
  ...['pin', 'otp', 'xOtp', 'totp', 'pass', 'dbPass', 'userPass', 'userPwd', 'connectionString'],
  ...['pan', 'cvv', 'cvc', 'cvn', 'csc', 'cardNo', 'cardNum', 'cardCode', 'creditCard', 'debitCard', 'trackData'],
  ...['codeVerifier', 'clientAssertion', 'samlResponse', 'samlAssertion'],
];

/** Ends of names of secrets, such as those of `X-Api-Key`, `client_secret` and `refreshToken`. */
const ENDS = [
  ...['api', 'app', 'application', 'access', 'account', 'auth', 'client', 'consumer', 'encryption', 'hmac', 'master'],
  ...['merchant', 'private', 'secret', 'security', 'server', 'service', 'session', 'shared', 'signing', 'storage'],
  ...['subscription', 'webhook', 'symmetric', 'decryption', 'crypto', 'cipher', 'function', 'functions', 'license'],
]
  .flatMap((word) => [`${word}Key`, `${word}Keys`])
  .concat([
    ...['token', 'tokenValue', 'accessTokens', 'apiTokens', 'authTokens', 'refreshTokens'],
    ...['jwt', 'jwtAssertion', 'sessionId', 'sessId', 'authorization', 'authorisation', 'forwardedClientCert'],
    ...['secret', 'secrets', 'secretValue', 'secretKeyBase', 'credential', 'credentials', 'cookie', 'cookies'],
    ...['password', 'passwords', 'passwordConfirm', 'passwordConfirmation', 'passwordHash', 'passwordValue'],
    ...['passwd', 'pwd', 'pswd', 'pword', 'passphrase', 'passcode', 'privatePem', 'mnemonic', 'seedPhrase'],
    ...['pinCode', 'pinBlock', 'cardPin', 'payerPin', 'userPin', 'walletPin', 'newPin', 'oldPin'],
    ...['otpCode', 'oneTimePassword', 'oneTimePin'],
    ...['cardNumber', 'cardNumbers', 'cardPan', 'primaryAccountNumber', 'securityCode', 'cardCvv', 'cardCvc'],
  ]);

/** Names that end like a secret but are not secret: operations, headers, a link's public token, cursors, a text for payers. */
const EXCEPT = [
  ...['requestPaymentToken', 'paymentLinkToken', 'getAccessToken', 'accessControlAllowCredentials', 'allowCredentials'],
  ...['nextToken', 'pageToken', 'nextPageToken', 'continuationToken', 'wrongPin'],
];

/** The one list of names whose values are secrets, with names of other kinds that a caller adds. */
export function createSecretNames<Other extends string = never>(): NameList<'secret' | Other> {
  return new NameList<'secret' | Other>(EXCEPT).add('secret', { whole: WHOLE, ends: ENDS });
}

export const SECRET_NAMES = createSecretNames();

/** Whether the values of a member, parameter, header or element of that name are secrets. */
export function isSecretName(name: string): boolean {
  return SECRET_NAMES.kindOf(name) !== undefined;
}

/** Names of the members of a pair such as `{"name": "password", "value": "x"}`, in which one member names the other's content. */
const PAIRED_NAMES = new NameList<'name' | 'value'>()
  .add('name', {
    whole: ['name', 'key', 'field', 'path', 'parameter', 'param', 'property', 'header', 'attribute', 'k'],
  })
  .add('value', { whole: ['value', 'val', 'values', 'v', 'content', 'rejectedValue', 'oldValue', 'newValue'] });

/** Characters between the last letter of a name and its separator. */
const AFTER_NAME = String.raw`[\d_.[\]\-\x80-\u012f\u0131-\u2129\u212b-\uffff\t-\r "'\\]`;
const SEPARATOR_PATTERNS = new WeakMap<NameList<NamedKind>, RegExp>();

/**
 * Finds the next colon, equals sign or tag whose name may be in the list or in PAIRED_NAMES. Only the last letters of the names are
 * searched for, so that a long text costs little.
 */
export function nextSeparator(text: string, from: number, names: NameList<NamedKind>): number {
  let pattern = SEPARATOR_PATTERNS.get(names);
  if (!pattern) {
    const last = `(?:${names.lastLetters}|${PAIRED_NAMES.lastLetters})`;
    const sign = `[:=](?<=${last}(?<!${AFTER_NAME})${AFTER_NAME}*.)`;
    pattern = new RegExp(String.raw`${sign}|<[\w.:-]+(?![\w.:-])(?<=${last}[\d_.:-]*)`, 'gi');
    SEPARATOR_PATTERNS.set(names, pattern);
  }
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? -1;
}

/** The role of a member in such a pair, by its name; undefined for other names, and for names with separators or digits. */
export function roleInPair(text: string, from = 0, to = text.length): 'name' | 'value' | undefined {
  const role = PAIRED_NAMES.kindOf(text, from, to);
  let at = role === undefined ? to : from;
  while (at < to && text.charCodeAt(at) < 0x80 && isLetter(text.charCodeAt(at))) {
    at += 1;
  }
  return at === to ? role : undefined;
}

/** Whether a secret's name can also be the name of an object, whose members are then masked one by one. */
export function mayHoldMembers(name: string): boolean {
  return /^(?:x-?)?auth$/i.test(name);
}
