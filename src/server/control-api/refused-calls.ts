/** Whether a call of the merchant API failed, by the status of its answer; null means that no answer was sent. */
export function isRefused(status: number | null): boolean {
  return status === null || status >= 400;
}
