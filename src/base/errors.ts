// Errors are not asked by instanceof: under a test runner the system's errors come from another realm.

/** The code of an error of the system, such as ENOENT; undefined where it has none. */
export function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

/** Errors of the system in words; people do not know the codes. */
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
  // A module that is not found is named; the file of this program that asked for it is of no use.
  return codeOf(error) === 'ERR_MODULE_NOT_FOUND' ? message.replace(/ imported from .*/, '') : message;
}
