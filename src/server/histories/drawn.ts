import { createHash } from 'node:crypto';
import { digitsOf, passesLuhn } from '../../base/masking/card-numbers.ts';

const MARKS = /^(?:whsec_|eyJ)/;
/** So often another text is drawn: of one digit there are few, and of dashes there is no other. */
const MOST_DRAWS = 50;

/** What stands for the secret of a number: nothing that stands for another one or is in the way otherwise, if there is such a text. */
export function standInFor(secret: string, number: number, isTaken: (text: string) => boolean): string {
  const first = draw(secret, `${number}`);
  let drawn = first;
  for (let tries = 1; isTaken(drawn) || drawn === secret; tries += 1) {
    if (tries === MOST_DRAWS) {
      return first;
    }
    drawn = draw(secret, `${number} ${tries}`);
  }
  return drawn;
}

/** As long as the secret, of the same kinds of characters, and nothing that tells of it: another one by each name. */
function draw(secret: string, name: string): string {
  const [mark = ''] = MARKS.exec(secret) ?? [];
  const rest = secret.slice(mark.length);
  const bytes = createHash('shake256', { outputLength: Math.max(rest.length, 1) })
    .update(`stand-in ${name}`)
    .digest();
  const drawn = rest
    .split('')
    .map((character, index) => drawnLike(character, bytes[index] ?? 0))
    .join('');
  return mark + (/^\d[\d\s-]{11,}\d$/.test(secret) ? checkedLike(secret, drawn) : drawn);
}

const DIGITS = '0123456789';
/** No digit is drawn that a number in JSON cannot begin with. */
const KINDS = [DIGITS.slice(1), 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'] as const;

function drawnLike(character: string, byte: number): string {
  const like = character === '0' ? '1' : character.charCodeAt(0) > 127 ? 'a' : character;
  const kind = KINDS.find((characters) => characters.includes(like));
  return kind?.[byte % kind.length] ?? character;
}

/** The check digit of a card number is right where it was. */
function checkedLike(secret: string, drawn: string): string {
  const isRight = (text: string) => passesLuhn(digitsOf(text));
  const candidates = [...DIGITS].map((digit) => drawn.slice(0, -1) + digit);
  return candidates.find((candidate) => isRight(candidate) === isRight(secret)) ?? drawn;
}
