// Errors are not asked by instanceof: under a test runner the system's errors come from another realm.

/** The code of an error of the system, such as ENOENT; undefined where it has none. */
export function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

/** What an error says. */
export function messageOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);
}
