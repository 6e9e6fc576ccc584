import type { SessionState } from '../../base/schema/generated/records.ts';

export const STANDARD_BEHAVIOUR = 'standard';

/** A session's state names its behaviour only if it is not the standard one. */
export function behaviourMember(behaviour: string): { behaviour?: string } {
  return behaviour === STANDARD_BEHAVIOUR ? {} : { behaviour };
}

export function withBehaviour({ behaviour: _, ...state }: SessionState, behaviour: string): SessionState {
  return { ...state, ...behaviourMember(behaviour) };
}
