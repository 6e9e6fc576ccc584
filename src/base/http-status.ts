/** Whether a status says that all went well; null is no answer. */
export function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

export function isRedirect(status: number | null): boolean {
  return status !== null && status >= 300 && status < 400;
}
