/** A text as it is read. */
export interface Reading {
  text: string;
  /** Where a character, or the end, stands as it is written. */
  startOf(index: number): number;
  /** How it is written, unless as it reads. */
  spelling?: Spelling;
}

/** A way of writing characters. */
export interface Spelling {
  isIn: RegExp;
  /** Runs of what is written otherwise. */
  run: RegExp;
  read(run: string): string;
  write(text: string): string;
}

/** Of forms and addresses. */
export const FORM: Spelling = {
  isIn: /%[\da-f]{2}|\+/i,
  // Each sequence of UTF-8 by itself, so that places stay exact.
  run: /%[c-f][\da-f](?:%[89ab][\da-f])+|%[\da-f]{2}|\+/gi,
  read: (run) => (run === '+' ? ' ' : decoded(run)),
  write: encodeURIComponent,
};

const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
/** Of XML and HTML. */
export const MARKUP: Spelling = {
  isIn: /&(?:#|amp;|lt;|gt;|quot;|apos;)/,
  run: /&(?:#x[\da-f]{1,6}|#\d{1,7}|amp|lt|gt|quot|apos);/gi,
  read: characterOf,
  write: (text) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`),
};

const JSON_TEXT: Spelling = {
  isIn: /\\/,
  run: /\\u[\da-f]{4}|\\["\\/bfnrt]/gi,
  read: (run) => String(JSON.parse(`"${run.replace(/^\\U/, '\\u')}"`)),
  write: (text) => JSON.stringify(text).slice(1, -1),
};

/** A text as it reads by each way of writing of which it has something, and last as it stands. */
export function readingsOf(text: string): Reading[] {
  const spellings = [FORM, MARKUP, JSON_TEXT].filter(({ isIn }) => isIn.test(text));
  return [...spellings.map((spelling) => readBy(spelling, text)), asItStands(text)];
}

export function asItStands(text: string): Reading {
  return { text, startOf: (index) => index };
}

function readBy(spelling: Spelling, text: string): Reading {
  const { run, read } = spelling;
  const starts = new Uint32Array(text.length + 1);
  const pieces: string[] = [];
  let [copied, length] = [0, 0];
  const add = (piece: string, from: number, isRun: boolean) => {
    for (let index = 0; index < piece.length; index += 1) {
      starts[length + index] = isRun ? from : from + index;
    }
    pieces.push(piece);
    length += piece.length;
  };
  for (const { 0: found, index } of text.matchAll(run)) {
    add(text.slice(copied, index), copied, false);
    add(read(found), index, true);
    copied = index + found.length;
  }
  add(text.slice(copied), copied, false);
  starts[length] = text.length;
  return { text: pieces.join(''), startOf: (index) => starts[index] ?? text.length, spelling };
}

/** As addresses and forms encode it, in UTF-8 or else ISO-8859-1. */
export function decoded(run: string): string {
  try {
    return decodeURIComponent(run);
  } catch {
    return run.replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  }
}

function characterOf(entity: string): string {
  const name = entity.slice(1, -1).toLowerCase();
  const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  if (!name.startsWith('#')) {
    return ENTITIES[name as keyof typeof ENTITIES];
  }
  return code <= 0x10ffff ? String.fromCodePoint(code) : entity;
}
