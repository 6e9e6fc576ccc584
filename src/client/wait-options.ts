/** How long a wait may take, and where it begins. */
export interface WaitOptions {
  /** Only what happened after this event id, whether a wait has returned it or not. */
  since?: number;
  /** Real milliseconds, 3000 where it is left out: less than what Jest and Vitest give a whole test. */
  timeout?: number;
}
