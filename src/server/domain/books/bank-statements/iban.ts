const IBAN = /^[A-Z]{2}[0-9]{2}[A-Z0-9]{1,30}$/;

/** Whether an account number is an IBAN with correct check digits. Source: ISO 13616. */
export function isIban(accountNumber: string): boolean {
  // Country and check digits are moved to the end; letters are numbers of base 36, so that A is 10 and B is 11.
  const digits = (accountNumber.slice(4) + accountNumber.slice(0, 4)).replace(/[A-Z]/g, (letter) =>
    String(Number.parseInt(letter, 36)),
  );
  return IBAN.test(accountNumber) && BigInt(digits) % 97n === 1n;
}
