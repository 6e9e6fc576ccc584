import { isSecretName } from '../../base/text/redact.ts';

/** What a name says of the value below it: `proof` of what else was said, such as a signature, from which that could be guessed. */
export type Kind = 'secret' | 'personal' | 'proof';

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
const PERSONAL: ReadonlySet<string> = new Set(PERSONAL_NAMES.map(plain));
/** Ends of names of others' own, such as `x-customer-email`. */
const PERSONAL_ENDS =
  /(?:email|emailaddress|mobile|mobilenumber|msisdn|phone|phonenumber|telephone|firstname|lastname|surname|familyname|givenname|fullnames?|(?:payer|payee|customer|holder|account|beneficiary|recipient|sender|billing|shipping|contact)name|accountholder|accountnumber|iban|(?:payer|postal|street|billing|shipping|home)address)$/;
const PROOF = /(?:signature|sig|hmac|checksum|digest|hash|etag|md5|ifnonematch)(?:sha)?\d{0,3}$/;
/** Ends of names that no interface of ours has. */
const SECRET_ENDS =
  /(?:passwd|pwd|passphrase|passcode|pincode|jwt|encryptionkey|subscriptionkey|appkey|(?:csrf|xsrf|form|request|client|device|bearer)token|sessionid|(?<!allow)credentials|passwords|secrets|apikeys|(?:access|auth|refresh|api)tokens)$/;
/** Those of headers: members of that name may be no secrets, such as what a payer is shown. */
const SECRET_HEADER_ENDS = /token$/;

/** Members with the name of what another one of theirs holds. */
export const NAMING = /^(?:name|key|field|path|parameter|property)$/i;

/** What was found out about names, as the same few come again and again. */
const MOST_VERDICTS = 1000;

/** What names say, with some that are taken for personal as well. */
export class Names {
  readonly #more: ReadonlySet<string>;
  readonly #verdicts = new Map<string, Kind | undefined>();

  constructor(more: readonly string[]) {
    this.#more = new Set(more.map(plain));
  }

  kindOf(name: string): Kind | undefined {
    if (!this.#verdicts.has(name)) {
      if (this.#verdicts.size === MOST_VERDICTS) {
        this.#verdicts.clear();
      }
      this.#verdicts.set(name, this.#findOut(name));
    }
    return this.#verdicts.get(name);
  }

  /** What the name of a header says of its value. */
  kindOfHeader(name: string): Kind | undefined {
    return this.kindOf(name) ?? (SECRET_HEADER_ENDS.test(plain(name)) ? 'secret' : undefined);
  }

  /** What the name of a member says; where it says nothing, what it says with that of the object that has it, as `payer` and `name`. */
  kindOfMember(name: string, owner: string): Kind | undefined {
    return this.kindOf(name) ?? (owner === '' ? undefined : this.kindOf(`${owner}.${name}`));
  }

  #findOut(name: string): Kind | undefined {
    const text = plain(name);
    const [, innermost] = /\[([^[\]]+)\]$/.exec(name) ?? [];
    if (isSecretName(text) || SECRET_ENDS.test(text) || (innermost !== undefined && isSecretName(innermost))) {
      return 'secret';
    }
    if (this.#more.has(text) || PERSONAL.has(text) || PERSONAL_ENDS.test(text)) {
      return 'personal';
    }
    return PROOF.test(text) ? 'proof' : undefined;
  }
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[-_.\s[\]]/g, '');
}
