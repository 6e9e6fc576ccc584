import { isSecretName, mayHoldMembers, roleInPair } from '../../../src/base/masking/secret-names.ts';

// Repeated here on purpose: a test with the lists of the source would not notice a name that is missing there.
const KEYS =
  'api app application access account auth client consumer encryption hmac master merchant private secret security server ' +
  'service session shared signing storage subscription webhook symmetric decryption crypto cipher function functions ' +
  'license';
const ENDS =
  'token token_value access_tokens api_tokens auth_tokens refresh_tokens jwt jwt_assertion session_id sess_id authorization ' +
  'authorisation forwarded_client_cert secret secrets secret_value secret_key_base credential credentials cookie cookies ' +
  'password passwords password_confirm password_confirmation password_hash password_value passwd pwd pswd pword passphrase ' +
  'passcode private_pem mnemonic seed_phrase pin_code pin_block card_pin payer_pin user_pin wallet_pin new_pin old_pin ' +
  'otp_code one_time_password one_time_pin card_number card_numbers card_pan primary_account_number security_code card_cvv ' +
  'card_cvc';
const WHOLE =
  'token tokens secret jwt bearer auth x_auth sid csrf x_csrf xsrf dpop pin otp x_otp totp pass db_pass user_pass user_pwd ' +
  'connection_string pan cvv cvc cvn csc card_no card_num card_code credit_card debit_card track_data code_verifier ' +
  'client_assertion saml_response saml_assertion';

const ENDINGS = [...KEYS.split(' ').flatMap((word) => [`${word}_key`, `${word}_keys`]), ...ENDS.split(' ')];

const joined = (name: string) => name.replaceAll('_', '');
const camel = (name: string) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

describe('the name of a secret', () => {
  it.each(ENDINGS)('ends in %s, in any spelling and after any prefix', (name) => {
    const header = `X-${name.replaceAll('_', '-')}`;
    const written = [name, joined(name), camel(name), name.toUpperCase(), header, `my_${name}`];
    expect(written.filter((each) => !isSecretName(each))).toEqual([]);
  });

  it.each(WHOLE.split(' '))('is %s, in any spelling', (name) => {
    const written = [name, joined(name), camel(name), name.toUpperCase(), name.replaceAll('_', '-')];
    expect(written.filter((each) => !isSecretName(each))).toEqual([]);
  });

  it.each(['key', 'keys', 'merchant', 'access', 'payerReference', 'amount'])('is not %s', (name) => {
    expect(isSecretName(name)).toBe(false);
  });
});

it.each([
  ['auth', true],
  ['Auth', true],
  ['xAuth', true],
  ['x-auth', true],
  ['oauth', false],
  ['authToken', false],
  ['token', false],
])('whether %s can name an object whose members are masked one by one: %s', (name, expected) => {
  expect(mayHoldMembers(name)).toBe(expected);
});

it.each([
  ['name', 'name'],
  ['Header', 'name'],
  ['value', 'value'],
  ['rejectedValue', 'value'],
  ['rejected_value', undefined],
  ['name1', undefined],
  ['naïve', undefined],
  ['amount', undefined],
])('the role of %s in a pair of a name and a value is %s', (name, role) => {
  expect(roleInPair(name)).toBe(role);
  // Only the given part of a text is read.
  expect(roleInPair(`(${name})`, 1, name.length + 1)).toBe(role);
});
