import type { RecordedCall } from '../../base/schema/recordings.ts';
import { isNotSent } from '../recording.ts';
import type { PlayedCall } from './play.ts';

/** Differences that are shown one by one. */
const MOST_SHOWN = 10;
const NO_ANSWER = 'no answer';

/** A call that was answered with another status. */
export interface OtherStatus {
  id: string;
  method: string;
  target: string;
  file: string;
  line: number;
  /** null where there was no answer. */
  recorded: number | null;
  now: number | null;
  error: string | null;
}

/** How the answers were, as far as their status tells. */
export interface CountedStatuses {
  calls: number;
  different: number;
  /** Calls that got no answer, or not all of it. */
  failed: number;
  /** Calls that could not be sent as they were recorded; they are none of the others. */
  unsent: number;
  /** By what was recorded: `2xx` and the like, or `no answer`. */
  answers: { recorded: string; same: number; different: number }[];
  /** The first of those that differ. */
  first: OtherStatus[];
  /** The first of those that could not be sent. */
  firstUnsent: OtherStatus[];
}

/** Counts answers by whether their status is the recorded one. */
export class StatusCounts {
  readonly #answers = new Map<string, { same: number; different: number }>();
  readonly #first: OtherStatus[] = [];
  readonly #firstUnsent: OtherStatus[] = [];
  #failed = 0;
  #unsent = 0;

  add({ recorded: { exchange, file, line }, replayed }: PlayedCall): void {
    const [recorded, now] = [statusOf(exchange), statusOf(replayed)];
    const { error } = replayed;
    const { id, method, target } = exchange;
    const told: OtherStatus = { id, method, target, file, line, recorded, now, error };
    if (isNotSent(error)) {
      this.#unsent += 1;
      addTo(this.#firstUnsent, told);
      return;
    }
    const kind = recorded === null ? NO_ANSWER : `${Math.floor(recorded / 100)}xx`;
    const counts = this.#answers.get(kind) ?? { same: 0, different: 0 };
    counts[recorded === now ? 'same' : 'different'] += 1;
    this.#answers.set(kind, counts);
    this.#failed += error === null ? 0 : 1;
    if (recorded !== now) {
      addTo(this.#first, told);
    }
  }

  get result(): CountedStatuses {
    const answers = [...this.#answers].map(([recorded, counts]) => ({ recorded, ...counts }));
    answers.sort((one, other) => (one.recorded < other.recorded ? -1 : 1));
    const different = answers.reduce((sum, each) => sum + each.different, 0);
    const calls = answers.reduce((sum, each) => sum + each.same + each.different, 0);
    const [first, firstUnsent] = [[...this.#first], [...this.#firstUnsent]];
    return { calls, different, failed: this.#failed, unsent: this.#unsent, answers, first, firstUnsent };
  }
}

function addTo(shown: OtherStatus[], told: OtherStatus): void {
  if (shown.length < MOST_SHOWN) {
    shown.push(told);
  }
}

const statusOf = ({ answer }: RecordedCall): number | null => answer?.status ?? null;
