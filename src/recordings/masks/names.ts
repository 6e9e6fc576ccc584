import type { NameList } from '../../base/masking/name-list.ts';
import type { NamedKind } from '../../base/masking/places.ts';
import { secretNames } from '../../base/masking/secret-names.ts';

/** Members whose values tell of a person. Other spellings of them are found, too. */
export const PERSONAL_NAMES: readonly string[] = [
  'payerName',
  'payerMobile',
  'payerEmail',
  'paymentMobile',
  'paymentLinkEmail',
  'paymentPayerFullNames',
  'paymentPayerEmailAddress',
  'paymentPayerAddress',
  'paymentPayerMobile',
  'debitAccountNumber',
  'debitAccountName',
  'creditAccountNumber',
  'creditAccountName',
  'accountNumber',
  'accountName',
  'accountHolder',
  'iban',
  'customerName',
  'firstName',
  'middleName',
  'lastName',
  'givenName',
  'familyName',
  'surname',
  'fullName',
  'cardHolder',
  'cardHolderName',
  'nameOnCard',
  'email',
  'emailAddress',
  'phone',
  'phoneNumber',
  'telephone',
  'mobile',
  'mobileNumber',
  'msisdn',
  'address',
  'addressLine1',
  'addressLine2',
  'street',
  'postalCode',
  'zip',
  'dateOfBirth',
  'birthDate',
  'nationalId',
  'passportNumber',
  'taxId',
  'dob',
  'ssn',
  'passport',
  'idNumber',
  'tel',
  'whatsapp',
  'vatNumber',
  'taxNumber',
];
/** Ends of names of persons' data in other interfaces, such as `x-customer-email`. */
const PERSONAL_ENDS = [
  ...['email', 'emailAddress', 'mobile', 'mobileNumber', 'msisdn', 'phone', 'phoneNumber', 'telephone'],
  ...['firstName', 'lastName', 'surname', 'familyName', 'givenName', 'fullName', 'fullNames'],
  ...['payerName', 'payeeName', 'customerName', 'holderName', 'accountName', 'contactName', 'beneficiaryName'],
  ...['recipientName', 'senderName', 'billingName', 'shippingName', 'accountHolder', 'accountNumber', 'iban'],
  ...['payerAddress', 'postalAddress', 'streetAddress', 'billingAddress', 'shippingAddress', 'homeAddress'],
];
/** Ends of names of what is made from other values, from which these could be guessed. */
const PROOF_ENDS = ['signature', 'sig', 'hmac', 'checksum', 'digest', 'hash', 'etag', 'ifNoneMatch'].flatMap((word) => [
  word,
  `${word}Sha`,
]);

/** The names whose values a recording has masked; `more` are taken for personal as well. */
export function recordingNames(more: readonly string[]): NameList<NamedKind> {
  return secretNames<'personal' | 'proof'>()
    .add('personal', { whole: [...more, ...PERSONAL_NAMES], ends: PERSONAL_ENDS })
    .add('proof', { whole: ['md5', 'contentMd5'], ends: PROOF_ENDS });
}
