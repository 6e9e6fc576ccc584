import type { Observation, Words } from '../observation/observation.ts';
import type { OrderState } from '../shop/adapter.ts';

export type InvariantId = `I${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 17 | 18 | 19}`;

/** Whether an invariant holds; undefined if that is unknown. `state` is that of the order in the end, or after the job of the shop. */
type Judge = (observation: Observation, state: OrderState | undefined, words: Words) => boolean | undefined;

/** A rule that must hold in every situation. Source: public bugs of shops, and checklists of providers. */
export interface Invariant {
  id: InvariantId;
  sentence: string;
  why: string;
  mend: string;
  /** Whether the shop can correct a violation later; false if money or goods are lost. */
  isCorrectable: boolean;
  /** Returns why it could not be judged; undefined if that is unknown. */
  explainUnknown?(observation: Observation): string | undefined;
  /** The verdict is inconclusive if `explainUnknown` returns a reason, because only the user can then tell whether it holds. */
  isAskedIfUnknown?: true;
  /** Whether it gets no verdict if it could not be judged, because it does not concern every shop. */
  isOmittedIfUnknown?: true;
  judge: Judge;
}
