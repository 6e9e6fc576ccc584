import { passesLuhn } from '../../../../base/masking/card-numbers.ts';
import { ownMember } from '../../../../base/members.ts';
import type { Fixtures } from '../../../config/fixtures.ts';
import { WORDS } from '../../pages/words.ts';

export type TestCard = Fixtures['testCards']['cards'][number];

/** The input of a card form. No record contains it; a history has the form with secrets masked. */
export interface CardForm {
  number: string;
  expiry: string;
  securityCode: string;
}

/** The problem with a card form, in words for the payer, and the wrong field. */
export interface CardProblem {
  field: keyof CardForm;
  problem: string;
}

/** The last four digits of a card's number on a channel: •••• 0010; undefined if it has none there. */
export function maskedNumber({ numbers }: TestCard, channel: string): string | undefined {
  const number = ownMember(numbers, channel);
  return number === undefined ? undefined : `•••• ${number.slice(-4)}`;
}

export function readCard(fixtures: Fixtures, channel: string, form: CardForm): TestCard | CardProblem {
  const digits = form.number.replace(/[\s-]/g, '');
  if (!/^\d{12,19}$/.test(digits) || !passesLuhn(digits)) {
    return { field: 'number', problem: WORDS.notCardNumber };
  }
  const { networks, cards, expiry, securityCode } = fixtures.testCards;
  const network = networks.find((each) => each.channel === channel);
  if (network && !network.prefixes.some((prefix) => digits.startsWith(prefix))) {
    return { field: 'number', problem: WORDS.wrongNetwork };
  }
  const card = cards.find(({ numbers }) => Object.values(numbers).includes(digits));
  if (!card) {
    return { field: 'number', problem: WORDS.notTestCard };
  }
  if (form.expiry.replace(/\s/g, '') !== expiry) {
    return { field: 'expiry', problem: WORDS.wrongExpiry(expiry) };
  }
  return form.securityCode === securityCode
    ? card
    : { field: 'securityCode', problem: WORDS.wrongSecurityCode(securityCode) };
}
