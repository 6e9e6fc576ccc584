import type { KnownPlace } from '../../base/masking/rules.ts';

/** A phone number, or another one that is written as one: its digits without zeros before them, and as many that stand for them. */
export interface Phone {
  digits: string;
  standIn: string;
}

/** So many last digits tell whose it is, whatever stands before them for the country. */
export const SHORTEST_PHONE = 7;
const LONGEST_PHONE = 15;
const WHOLE = /^\+?[\d\s().-]+$/;
/** What people put between the digits. */
const BETWEEN = /^[\s().\p{Pd}]{1,3}$/u;

export function phoneOf(value: string, standIn: string): Phone | undefined {
  const digits = digitsOf(value).replace(/^0+/, '');
  const isPhone = WHOLE.test(value) && digits.length >= SHORTEST_PHONE && digits.length <= LONGEST_PHONE;
  const drawn = digitsOf(standIn).slice(-digits.length);
  return isPhone && drawn.length === digits.length ? { digits, standIn: drawn } : undefined;
}

/** Where a text has numbers that are known by their last digits, with or without a country, and whatever stands between the digits. */
export function phonesIn(text: string, knownBy: (last: string) => Phone | undefined): KnownPlace[] {
  const groups = [...text.matchAll(/(?<![\p{L}\p{N}_])\d+(?![\p{L}_])/gu)];
  const places: KnownPlace[] = [];
  for (let first = 0; first < groups.length; first += 1) {
    const from = groups[first]?.index ?? 0;
    for (let last = lastOf(groups, first, text); last >= first; last -= 1) {
      const to = endOf(groups[last]);
      const phone = matching(digitsOf(text.slice(from, to)).replace(/^0+/, ''), knownBy);
      if (phone) {
        places.push({ from, to, standIn: written(text.slice(from, to), phone) });
        first = last;
        break;
      }
    }
  }
  return places;
}

/** The last group that can belong to the number that begins with one. */
function lastOf(groups: readonly RegExpExecArray[], first: number, text: string): number {
  let [last, length] = [first, groups[first]?.[0].length ?? 0];
  for (let next = groups[first + 1]; next && BETWEEN.test(text.slice(endOf(groups[last]), next.index)); ) {
    length += next[0].length;
    if (length > LONGEST_PHONE) {
      break;
    }
    last += 1;
    next = groups[last + 1];
  }
  return last;
}

function endOf(group: RegExpExecArray | undefined): number {
  return group ? group.index + group[0].length : 0;
}

function matching(digits: string, knownBy: (last: string) => Phone | undefined): Phone | undefined {
  const phone = digits.length < SHORTEST_PHONE ? undefined : knownBy(digits.slice(-SHORTEST_PHONE));
  return phone && (digits.endsWith(phone.digits) || phone.digits.endsWith(digits)) ? phone : undefined;
}

/** The digits replaced from the last one on. What stands before the known ones is a country's or a zero, and stays. */
function written(text: string, { standIn }: Phone): string {
  const count = digitsOf(text).length;
  const zeros = /^0*/.exec(digitsOf(text))?.[0].length ?? 0;
  let index = 0;
  return text.replace(/\d/g, (digit) => {
    const at = standIn.length - count + index;
    index += 1;
    return index <= zeros ? digit : (standIn[at] ?? digit);
  });
}

function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}
