import type { RecordedCall } from '../../base/schema/recordings.ts';
import { jsonOf } from '../body.ts';
import { sentLeavesOf } from '../leaves.ts';

/** Shorter texts, and numbers below 100, are the same by chance. */
const SHORTEST = 3;

/** What each side sent. */
export interface BothSent {
  recorded: SentValues;
  sandbox: SentValues;
}

/** The values that a call sent, which its answer may repeat, by the members that held them. */
export class SentValues {
  readonly #names = new Map<string, string>();
  /** How long the lists were that it sent. */
  readonly listLengths: ReadonlySet<number>;

  constructor(call: Pick<RecordedCall, 'target' | 'body'> | undefined) {
    const lengths = new Set<number>();
    for (const { name, value } of call ? sentLeavesOf(call) : []) {
      const key = keyOf(value);
      if (key !== undefined && !this.#names.has(key)) {
        this.#names.set(key, name);
      }
    }
    addLengths(jsonOf(call?.body), lengths);
    this.listLengths = lengths;
  }

  /** What each side sent that the other one did not: of a call that was played again, nothing but what is new each time. */
  static apart(recorded: RecordedCall, sandbox: RecordedCall): BothSent {
    const [was, is] = [new SentValues(recorded), new SentValues(sandbox)];
    for (const key of [...was.#names.keys()].filter((each) => is.#names.has(each))) {
      was.#names.delete(key);
      is.#names.delete(key);
    }
    return was.#names.size + is.#names.size === 0 ? NOTHING_SENT : { recorded: was, sandbox: is };
  }

  /** The member that held a value; undefined where none did. */
  nameOf(value: unknown): string | undefined {
    const key = keyOf(value);
    return key === undefined ? undefined : this.#names.get(key);
  }
}

export const NOTHING_SENT: BothSent = { recorded: new SentValues(undefined), sandbox: new SentValues(undefined) };

/** A number and the text of one are the same value. */
function keyOf(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') {
    return undefined;
  }
  const text = String(value);
  const key = /^-?\d{1,15}(?:\.\d{1,6})?$/.test(text) ? String(Number(text)) : text;
  return key.length < SHORTEST ? undefined : key;
}

function addLengths(value: unknown, lengths: Set<number>): void {
  if (Array.isArray(value)) {
    lengths.add(value.length);
  }
  for (const each of typeof value === 'object' && value !== null ? Object.values(value) : []) {
    addLengths(each, lengths);
  }
}
