import {
  chmodSync,
  closeSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { nanoid } from 'nanoid';
import { codeOf, messageOf } from '../../../base/errors.ts';
import { platform } from '../../../base/platform.ts';

const OWNER_ONLY = 0o700;
const ACCESS_BY_OTHERS = 0o077;
const WRITE_BY_OTHERS = 0o022;

/** The text of a file. Throws Error if it cannot be read; callers put the file's name before its message. */
export function readKeyFile(file: string): string {
  try {
    // Reading a pipe would wait for ever.
    if (statSync(file).isFile()) {
      return readFileSync(file, 'utf8');
    }
  } catch (error) {
    throw new Error(`cannot be read (${messageOf(error)})`);
  }
  throw new Error('is not a file');
}

/** Creates a folder that only its owner can access, and missing parent folders, level by level. */
export function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })) {
    return;
  }
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: OWNER_ONLY });
    // The umask may have removed permissions that the owner needs.
    chmodSync(folder, OWNER_ONLY);
  } catch (error) {
    // Another sandbox may start at the same moment.
    if (codeOf(error) !== 'EEXIST') {
      throw error;
    }
  }
}

/** Throws Error if other users could put their own key into the folder; callers put its name before the message. */
export function assertOwnFolder(folder: string): void {
  const stats = statSync(folder);
  if (!stats.isDirectory()) {
    throw new Error('is not a folder');
  }
  assertOwner(stats);
  if (platform.hasModes && (stats.mode & WRITE_BY_OTHERS) !== 0) {
    throw new Error(`can be written by other users; chmod 700 ${folder}`);
  }
}

/** Throws Error if other users can read or change the file; callers put its name before the message. */
export function assertSecret(file: string): void {
  const stats = statSync(file);
  assertOwner(stats);
  if (platform.hasModes && (stats.mode & ACCESS_BY_OTHERS) !== 0) {
    throw new Error(`can be read by other users; chmod 600 ${file}`);
  }
}

function assertOwner({ uid }: Stats): void {
  const user = process.getuid?.();
  // The superuser can read everything anyway.
  if (user !== undefined && user !== 0 && uid !== user) {
    throw new Error('belongs to another user; choose another folder with --tls-folder');
  }
}

/** Writes a temporary file next to another, with exactly these permissions, and syncs it. Then `put` renames or links it. */
export function withTemporary(file: string, text: string, mode: number, put: (temporary: string) => void): void {
  const temporary = `${file}.${nanoid()}.new`;
  const descriptor = openSync(temporary, 'wx', mode);
  try {
    try {
      // The umask may have removed some of the permissions.
      fchmodSync(descriptor, mode);
      writeSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    put(temporary);
  } finally {
    platform.removeFile(temporary);
  }
}
