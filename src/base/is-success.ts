/** Whether a status means success; null means that there was no answer. */
export function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

export function isRedirect(status: number | null): boolean {
  return status !== null && status >= 300 && status < 400;
}

/** Whether a call of the merchant API was refused or not answered, by the status of its answer. */
export function isRefused(status: number | null): boolean {
  return status === null || status >= 400;
}
