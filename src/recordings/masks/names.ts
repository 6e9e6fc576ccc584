import type { NameList } from '../../base/masking/name-list.ts';
import type { NamedKind } from '../../base/masking/places.ts';
import { createSecretNames } from '../../base/masking/secret-names.ts';

/** Members with personal values. Other spellings of the names are found, too. */
const PERSONAL_NAMES = [
  ...['address', 'addressLine', 'street', 'postalCode', 'zip', 'dateOfBirth', 'birthDate', 'dob'],
  ...['nationalId', 'passport', 'passportNumber', 'idNumber', 'ssn', 'taxId', 'taxNumber', 'vatNumber'],
  ...['middleName', 'cardHolder', 'nameOnCard', 'tel', 'whatsapp'],
];
/** Suffixes of such names: `payerMobile`, and `x-customer-email` in other interfaces. */
const PERSONAL_ENDS = [
  ...['email', 'emailAddress', 'mobile', 'mobileNumber', 'msisdn', 'phone', 'phoneNumber', 'telephone'],
  ...['firstName', 'lastName', 'surname', 'familyName', 'givenName', 'fullName', 'fullNames'],
  ...['payerName', 'payeeName', 'customerName', 'holderName', 'accountName', 'contactName', 'beneficiaryName'],
  ...['recipientName', 'senderName', 'billingName', 'shippingName', 'accountHolder', 'accountNumber', 'iban'],
  ...['payerAddress', 'postalAddress', 'streetAddress', 'billingAddress', 'shippingAddress', 'homeAddress'],
];
/** Suffixes of names of derived values, from which the original values could be guessed. */
const PROOF_ENDS = ['signature', 'sig', 'hmac', 'checksum', 'digest', 'hash', 'etag', 'ifNoneMatch'].flatMap((word) => [
  word,
  `${word}Sha`,
]);

export function personalNames(extraNames: readonly string[]): string[] {
  return [...PERSONAL_NAMES, ...PERSONAL_ENDS, ...extraNames];
}

export function recordingNames(extraNames: readonly string[]): NameList<NamedKind> {
  return createSecretNames<'personal' | 'proof'>()
    .add('personal', { whole: [...extraNames, ...PERSONAL_NAMES], ends: PERSONAL_ENDS })
    .add('proof', { whole: ['md5', 'contentMd5'], ends: PROOF_ENDS });
}
