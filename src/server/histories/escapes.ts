import { writtenOut } from '../../base/text/printable.ts';

/** A way of writing characters in a text. */
export interface Escapes {
  /** Whether a text has any. */
  isIn: RegExp;
  /** What stands for one character. */
  piece: RegExp;
  read(piece: string): string;
  /** A character as the piece is written whose place it takes. */
  write(character: string, piece: string): string;
  /** A text in the usual way. */
  spell(text: string): string;
}

const SHORT: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** A program may write any character of JSON by its number, and some write every slash with a backslash. */
export const JSON_ESCAPES: Escapes = {
  isIn: /\\(?:u[\da-f]{4}|\/)/i,
  piece: /\\(?:u[\da-f]{4}|["\\/bfnrt])|[\s\S]/gi,
  read(piece) {
    const kind = piece.charAt(1);
    return piece.length === 6
      ? String.fromCharCode(Number.parseInt(piece.slice(2), 16))
      : (SHORT[kind] ?? (kind || piece));
  },
  write: (character, piece) => (piece.length === 6 ? writtenOut(character) : character),
  spell: (text) => JSON.stringify(text).slice(1, -1),
};

/** Bytes in addresses and forms, in upper or lower case, also where none is needed. */
export const FORM_ESCAPES: Escapes = {
  isIn: /%[\da-f]{2}/i,
  piece: /%[\da-f]{2}|[\s\S]/gi,
  read: (piece) =>
    piece.length === 3 ? String.fromCharCode(Number.parseInt(piece.slice(1), 16)) : piece === '+' ? ' ' : piece,
  write: (character, piece) =>
    piece.length === 3 ? `%${character.charCodeAt(0).toString(16).padStart(2, '0')}` : character,
  spell: (text) => encodeURIComponent(text),
};

/** A part of a text, and where it stands. */
export interface Found {
  found: string;
  index: number;
}

/** Replaces what is found in a text as it is read. A character stays written as the one was whose place it takes. */
export function replaceAsRead(
  { isIn, piece, read, write, spell }: Escapes,
  text: string,
  find: (text: string) => Found[],
  replace: (found: string) => string,
): string {
  if (!isIn.test(text)) {
    return text;
  }
  const pieces = text.match(piece) ?? [];
  // Each piece is read as one character, so that places are the same in both.
  const characters = pieces.map(read).join('');
  const written: string[] = [];
  let copied = 0;
  for (const { found, index } of find(characters)) {
    const other = replace(found);
    const places = pieces.slice(index, index + found.length);
    const isAlike = other.length === found.length;
    const alike = places.map((place, at) =>
      found.charAt(at) === other.charAt(at) ? place : write(other.charAt(at), place),
    );
    written.push(...pieces.slice(copied, index), ...(isAlike ? alike : [spell(other)]));
    copied = index + found.length;
  }
  return written.join('') + pieces.slice(copied).join('');
}
