/** The behaviour of a session that was given no other. */
export const STANDARD_BEHAVIOUR = 'standard';

/** How a session's state says which behaviour it has: not at all where it is the standard one. */
export function namedBehaviour(behaviour: string): { behaviour?: string } {
  return behaviour === STANDARD_BEHAVIOUR ? {} : { behaviour };
}
