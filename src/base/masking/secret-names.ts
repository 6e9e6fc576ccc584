import { NameList } from './name-list.ts';

/** Names of secrets, written in any case and with any separators. */
const WHOLE = [
  'token',
  'secret',
  'pin',
  'otp',
  'totp',
  'jwt',
  'sid',
  'auth',
  'xAuth',
  'pass',
  'pan',
  'cvv',
  'cvc',
  'cvn',
  'csc',
  'bearer',
  'cardNo',
  'cardNum',
  'cardCode',
  'creditCard',
  'debitCard',
  'trackData',
  'dbPass',
  'userPass',
  'userPwd',
  'connectionString',
  'codeVerifier',
  'clientAssertion',
  'samlResponse',
  'samlAssertion',
];

/** Ends of names of secrets: `X-Api-Key`, `client_secret` and `refreshToken` end so. */
const ENDS = [
  ...['api', 'app', 'application', 'access', 'account', 'auth', 'client', 'consumer', 'encryption', 'hmac', 'master'],
  ...['merchant', 'private', 'secret', 'security', 'server', 'service', 'session', 'shared', 'signing', 'storage'],
  ...['subscription', 'webhook', 'symmetric', 'decryption', 'crypto', 'cipher', 'function', 'functions', 'license'],
]
  .flatMap((word) => [`${word}Key`, `${word}Keys`])
  .concat([
    'token',
    'tokenValue',
    'accessTokens',
    'apiTokens',
    'authTokens',
    'refreshTokens',
    'secret',
    'secrets',
    'secretValue',
    'secretKeyBase',
    'password',
    'passwords',
    'passwordConfirm',
    'passwordConfirmation',
    'passwordHash',
    'passwordValue',
    'passwd',
    'pwd',
    'pswd',
    'pword',
    'passphrase',
    'passcode',
    'pinCode',
    'pinBlock',
    'cardPin',
    'payerPin',
    'userPin',
    'walletPin',
    'newPin',
    'oldPin',
    'otpCode',
    'oneTimePassword',
    'oneTimePin',
    'jwt',
    'sessionId',
    'sessId',
    'authorization',
    'authorisation',
    'credential',
    'credentials',
    'cookie',
    'cookies',
    'cardNumber',
    'cardNumbers',
    'cardPan',
    'primaryAccountNumber',
    'securityCode',
    'cardCvv',
    'cardCvc',
    'privatePem',
    'mnemonic',
    'seedPhrase',
  ]);

/** Names that end like a secret and are none: they say what was asked for, how a list continues, or what a payer is shown. */
const EXCEPT = [
  'requestPaymentToken',
  'paymentLinkToken',
  'getAccessToken',
  'accessControlAllowCredentials',
  'allowCredentials',
  'nextToken',
  'pageToken',
  'nextPageToken',
  'continuationToken',
  'wrongPin',
];

/** The one list of names whose values are secrets, with names of other kinds that a caller adds. */
export function secretNames<Other extends string = never>(): NameList<'secret' | Other> {
  return new NameList<'secret' | Other>(EXCEPT).add('secret', { whole: WHOLE, ends: ENDS });
}

const SECRETS = secretNames();

/** Whether the values of a member, parameter, header or element of that name are secrets. */
export function isSecretName(name: string): boolean {
  return SECRETS.kindOf(name) !== undefined;
}

/** Names of members that hold the name of what another member holds: `{"name": "password", "value": "x"}`. */
const NAMING = new Set(['name', 'key', 'field', 'path', 'parameter', 'param', 'property', 'header', 'attribute', 'k']);
const NAMED_VALUE = new Set(['value', 'val', 'values', 'v', 'content', 'rejectedvalue', 'oldvalue', 'newvalue']);

export function isNamingName(name: string): boolean {
  return name.length <= 9 && NAMING.has(name.toLowerCase());
}

export function isNamedValue(name: string): boolean {
  return name.length <= 13 && NAMED_VALUE.has(name.toLowerCase());
}

/** Names of secrets that also name an object with other members, which are looked at one by one. */
export function mayHoldMembers(name: string): boolean {
  return /^(?:x-?)?auth$/i.test(name);
}
