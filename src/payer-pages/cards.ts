import type { Fixtures } from '../config/fixtures.ts';

export type TestCard = Fixtures['testCards']['cards'][number];

/** What a card form says. Never kept, never logged. */
export interface CardForm {
  number: string;
  expiry: string;
  securityCode: string;
}

/** The check digit of a card number (ISO/IEC 7812-1). */
export function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = index % 2 === 1 ? Number(digit) * 2 : Number(digit);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return digits !== '' && sum % 10 === 0;
}

/** The test card that a form means on a channel, or what is wrong with the form in the payer's words. */
export function readCard(fixtures: Fixtures, channel: string, form: CardForm): TestCard | { problem: string } {
  const digits = form.number.replace(/[\s-]/g, '');
  if (!/^\d{12,19}$/.test(digits) || !passesLuhn(digits)) {
    return { problem: 'This is not a card number. Check the digits.' };
  }
  const { networks, cards, expiry, securityCode } = fixtures.testCards;
  const network = networks.find((each) => each.channel === channel);
  if (network && !network.prefixes.some((prefix) => digits.startsWith(prefix))) {
    return { problem: 'This payment cannot be made with a card of that network.' };
  }
  const card = cards.find(({ numbers }) => Object.values(numbers).includes(digits));
  if (!card) {
    return {
      problem: 'Only test cards work here. Never enter a real card in a sandbox.',
    };
  }
  if (form.expiry.replace(/\s/g, '') !== expiry) {
    return { problem: `Test cards expire in ${expiry}.` };
  }
  return form.securityCode === securityCode ? card : { problem: `The security code of test cards is ${securityCode}.` };
}
