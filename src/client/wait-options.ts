/** How long a wait may take, and where it begins. */
export interface WaitOptions {
  /** Only events after this id, whether or not a wait has returned them. */
  since?: number;
  /** Real milliseconds. Default: 3000, which is less than the limits that Jest and Vitest set for a whole test. */
  timeout?: number;
}
