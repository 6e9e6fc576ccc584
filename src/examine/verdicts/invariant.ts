import type { Observation, Words } from '../observation/observation.ts';
import type { OrderState } from '../shop/adapter.ts';

export type InvariantId = `I${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 17}`;

/** Whether it holds; undefined if that cannot be seen. `state` is the shop's final state of the order. */
type Judge = (observation: Observation, state: OrderState | undefined, words: Words) => boolean | undefined;

/** Rules that must hold in every situation, derived from public bugs of shops and from providers' check lists. */
export interface Invariant {
  id: InvariantId;
  sentence: string;
  why: string;
  mend: string;
  /** Where money or goods are gone, no job of the shop's own can put it right afterwards. */
  isMendable: boolean;
  /** Why it cannot be seen, where that is known. */
  unseen?(observation: Observation): string | undefined;
  judge: Judge;
}
