import type { RecordedCall } from '../../base/schema/recordings.ts';
import { sentLeavesOf } from '../leaves.ts';
import type { Recording, TracedCall } from '../recording.ts';
import { pathShapeOf } from './formats.ts';

/** Calls of the other recording that are looked through for the one that belongs to a call. */
const WINDOW = 1000;
const REFERENCE = /reference$/i;

/** A call and the same call of another recording; one of them is undefined where there is none. */
export interface CallPair {
  recorded: TracedCall | undefined;
  other: RecordedCall | undefined;
}

interface Waiting {
  exact: string;
  loose: string;
  exchange: RecordedCall;
}

/** Pairs the calls of two recordings: by method, path and references where these are the same, otherwise by method, path and order. */
export async function* pairCalls(recording: Recording, other: Recording): AsyncGenerator<CallPair> {
  const others = other.calls();
  const waiting: Waiting[] = [];
  let isAtEnd = false;
  for await (const recorded of recording.calls()) {
    while (!isAtEnd && waiting.length < WINDOW) {
      const { done, value } = await others.next();
      if (done) {
        isAtEnd = true;
      } else {
        waiting.push({ ...keysOf(value.exchange), exchange: value.exchange });
      }
    }
    const { exact, loose } = keysOf(recorded.exchange);
    const same = waiting.findIndex((each) => each.exact === exact);
    const index = same === -1 ? waiting.findIndex((each) => each.loose === loose) : same;
    const [found] = index === -1 ? [] : waiting.splice(index, 1);
    yield { recorded, other: found?.exchange };
  }
  for (const { exchange } of waiting) {
    yield { recorded: undefined, other: exchange };
  }
  for await (const { exchange } of others) {
    yield { recorded: undefined, other: exchange };
  }
}

function keysOf(call: RecordedCall): { exact: string; loose: string } {
  const [path = '', query] = call.target.split('?');
  const sent = [...sentLeavesOf(call)];
  const loose = JSON.stringify([call.method, pathShapeOf(path), sent.map(({ name }) => name).sort()]);
  const references = sent.filter(({ name }) => REFERENCE.test(name)).map(({ value }) => value);
  return { exact: JSON.stringify([call.method, path, query, references]), loose };
}
