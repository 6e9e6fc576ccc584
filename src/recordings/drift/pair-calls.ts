import { Recent } from '../../base/recent.ts';
import type { RecordedCall } from '../../base/schema/recordings.ts';
import { jsonOf } from '../body.ts';
import { type Leaf, leavesOf, sentLeavesOf } from '../leaves.ts';
import type { Recording, TracedCall } from '../recording.ts';
import { pathShapeOf } from './formats.ts';

/** Calls of the other recording that are looked through for the one that belongs to a call. */
const WINDOW = 1000;
/** By what a call or an answer names a payment. */
const NAMING = /reference$|^payment(?:Id|Code)$/i;
/** A word such as USD or WALLET_QR, which says what kind of call it is. */
const CODE = /^[A-Z]+(?:_[A-Z]+)*$/;
/** Names that stand for another one, at least: those of some 10,000 payments. */
const MOST_NAMES = 50_000;

/** A call and the same call of another recording; one of them is undefined where there is none. */
export interface CallPair {
  recorded: TracedCall | undefined;
  other: RecordedCall | undefined;
}

/**
 * Pairs the calls of two recordings: by method, path and what they name, otherwise by method, path, kind and order. What calls that
 * were paired name otherwise, and what they were answered, stands for each other in later ones.
 */
export async function* pairCalls(recording: Recording, other: Recording): AsyncGenerator<CallPair> {
  const others = other.calls();
  try {
    yield* paired(recording.calls(), others);
  } finally {
    // Whoever looks at no more of them has read the other recording in part.
    await others.return(undefined);
  }
}

async function* paired(
  calls: AsyncGenerator<TracedCall>,
  others: AsyncGenerator<TracedCall>,
): AsyncGenerator<CallPair> {
  const waiting: { call: RecordedCall; keys: Keys }[] = [];
  const names = new Names();
  let isAtEnd = false;
  for await (const recorded of calls) {
    while (!isAtEnd && waiting.length < WINDOW) {
      const { done, value } = await others.next();
      if (done) {
        isAtEnd = true;
      } else {
        waiting.push({ call: value.exchange, keys: keysOf(value.exchange) });
      }
    }
    const index = indexOf(recorded.exchange, waiting, names);
    const [found] = index === -1 ? [] : waiting.splice(index, 1);
    if (found) {
      names.learn(recorded.exchange, found.call);
    }
    yield { recorded, other: found?.call };
  }
  for (const { call } of waiting) {
    yield { recorded: undefined, other: call };
  }
  for await (const { exchange } of others) {
    yield { recorded: undefined, other: exchange };
  }
}

interface Keys {
  exact: string;
  loose: string;
  names: readonly string[];
}

function indexOf(call: RecordedCall, waiting: readonly { keys: Keys }[], names: Names): number {
  const { exact, loose, names: own } = keysOf(call, (name) => names.inOther(name));
  const same = waiting.findIndex(({ keys }) => keys.exact === exact);
  // Where it is known how the other recording names a payment, no other one will do.
  return same !== -1 || own.some((name) => names.isKnown(name))
    ? same
    : waiting.findIndex(({ keys }) => keys.loose === loose && !keys.names.some((name) => names.isTaken(name)));
}

/** `nameOf`: what a name in the call is in the other recording. */
function keysOf({ method, target, body }: RecordedCall, nameOf = (name: string): string | null => name): Keys {
  const path = target.replace(/\?.*$/s, '');
  const sent = [...sentLeavesOf({ target, body })];
  const names = sent.filter(isName).map(({ value }) => String(value));
  const codes = sent.filter(({ value }) => CODE.test(String(value))).map(({ name, value }) => [name, value]);
  const kind = [method, sent.map(({ name }) => name).sort(), codes];
  return {
    exact: JSON.stringify([kind, path.split('/').map(nameOf), names.map(nameOf)]),
    loose: JSON.stringify([kind, pathShapeOf(path)]),
    names,
  };
}

/** What names of one recording are in the other. */
class Names {
  readonly #names = new Recent<string>(MOST_NAMES);
  readonly #taken = new Recent<true>(MOST_NAMES);

  isKnown(name: string): boolean {
    return this.#names.has(name);
  }

  /** Whether a name of the other recording stands for one of this. */
  isTaken(name: string): boolean {
    return this.#taken.has(name);
  }

  /** Null where it is the name of something else there. */
  inOther(name: string): string | null {
    return this.#names.get(name) ?? (this.isTaken(name) ? null : name);
  }

  learn(recorded: RecordedCall, other: RecordedCall): void {
    const [was, is] = [recorded, other].map(namesIn);
    for (const [index, { name, value }] of (was ?? []).entries()) {
      const there = is?.[index];
      if (there?.name === name && !this.#names.has(String(value))) {
        this.#names.set(String(value), String(there.value));
        this.#taken.set(String(there.value), true);
      }
    }
  }
}

function namesIn(call: RecordedCall): Leaf[] {
  return [...sentLeavesOf(call), ...leavesOf(jsonOf(call.answer?.body))].filter(isName);
}

function isName({ name, value }: Leaf): boolean {
  return NAMING.test(name) && (typeof value === 'string' || typeof value === 'number') && value !== '';
}
