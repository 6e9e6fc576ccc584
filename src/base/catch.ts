/**
 * The address of the built-in receiver: an endpoint with it has its notifications answered within the sandbox. It is no address that
 * anything could be sent to.
 */
export const CATCH = 'sandbox:catch';

/** Whether a notification goes to the built-in receiver, and so does not show anything about the code under test. */
export function isCaught({ url }: { url: string }): boolean {
  return url === CATCH;
}
