/** Whether a call of the merchant API came to nothing, by the status of its answer: null where no answer left. */
export function isRefused(status: number | null): boolean {
  return status === null || status >= 400;
}
