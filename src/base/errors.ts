// Errors are not checked with instanceof here, because under a test runner the system's errors are from another realm.

/** The code of a system error, such as ENOENT; undefined for errors without a code. */
export function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

/** System errors in words, because people do not know the codes. */
const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of its path is not a folder',
  EISDIR: 'it is a folder',
  EEXIST: 'it exists already',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left',
  EADDRINUSE: 'the port is in use',
  EADDRNOTAVAIL: 'this machine has no such address',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was closed',
  ENOTFOUND: 'the host name is not known',
  ETIMEDOUT: 'no answer in time',
};

/** The message of an error, in words that its reader can act on. */
export function messageOf(error: unknown): string {
  const words = WORDS[String(codeOf(error))];
  if (words !== undefined) {
    return words;
  }
  const message =
    typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);
  // Names only the missing module, because the importing file of this program does not help the user.
  return codeOf(error) === 'ERR_MODULE_NOT_FOUND' ? message.replace(/ imported from .*/, '') : message;
}
