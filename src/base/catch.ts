/**
 * The address of the built-in receiver, which answers notifications within the sandbox. It is not a real address, so nothing
 * leaves the process.
 */
export const CATCH_URL = 'sandbox:catch';

/** Whether a notification goes to the built-in receiver, and so shows nothing about the code under test. */
export function isCaught({ url }: { url: string }): boolean {
  return url === CATCH_URL;
}
