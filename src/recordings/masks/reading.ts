/** A text as it is read. */
export interface Reading {
  text: string;
  /** Where a character, or the end, stands as it is written. */
  startOf(index: number): number;
  /** Whether it is read as forms and addresses are. */
  isForm: boolean;
  /** A text as it is written in the place of another. */
  write(text: string): string;
}

/** A way of writing characters. */
interface Spelling {
  isForm: boolean;
  isIn: RegExp;
  /** Runs of what is written otherwise. */
  run: RegExp;
  read(run: string): string;
  write(text: string): string;
}

const SPELLINGS: readonly Spelling[] = [
  {
    isForm: true,
    isIn: /%[\da-f]{2}|\+/i,
    // Each sequence of UTF-8 by itself, so that places stay exact.
    run: /%[c-f][\da-f](?:%[89ab][\da-f])+|%[\da-f]{2}|\+/gi,
    read: (run) => (run === '+' ? ' ' : decoded(run)),
    write: encodeURIComponent,
  },
  {
    isForm: false,
    isIn: /\\/,
    run: /\\u[\da-f]{4}|\\["\\/bfnrt]/gi,
    read: (run) => String(JSON.parse(`"${run.replace(/^\\U/, '\\u')}"`)),
    write: (text) => JSON.stringify(text).slice(1, -1),
  },
];

/** A text as it reads by each way of writing of which it has something, and last as it stands. */
export function readingsOf(text: string): Reading[] {
  const asItStands: Reading = { text, startOf: (index) => index, isForm: false, write: (standIn) => standIn };
  return [...SPELLINGS.filter(({ isIn }) => isIn.test(text)).map((spelling) => readBy(spelling, text)), asItStands];
}

function readBy({ isForm, run, read, write }: Spelling, text: string): Reading {
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
  return { text: pieces.join(''), startOf: (index) => starts[index] ?? text.length, isForm, write };
}

/** As addresses and forms encode it; as it stands where they would not. */
export function decoded(run: string): string {
  try {
    return decodeURIComponent(run);
  } catch {
    return run;
  }
}
