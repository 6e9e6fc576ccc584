const IBAN = /^[A-Z]{2}[0-9]{2}[A-Z0-9]{1,30}$/;

/** Whether an account number is an IBAN whose check digits are right. Source: ISO 13616. */
export function isIban(accountNumber: string): boolean {
  // A is 10, B is 11, and so on, as in base 36; country and check digits come last.
  const digits = (accountNumber.slice(4) + accountNumber.slice(0, 4)).replace(/[A-Z]/g, (letter) =>
    String(Number.parseInt(letter, 36)),
  );
  return IBAN.test(accountNumber) && BigInt(digits) % 97n === 1n;
}
