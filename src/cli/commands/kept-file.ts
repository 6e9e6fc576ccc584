import { accessSync, appendFileSync, constants, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import { UsageError } from './command.ts';

/** Writes a file, and the folder that it is to be in. Returns its name. */
export function keep(file: string, text: string, how: 'anew' | 'behind' = 'anew'): string {
  try {
    mkdirSync(dirname(file), { recursive: true });
    (how === 'anew' ? writeFileSync : appendFileSync)(file, text);
    return file;
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${messageOf(error)}`);
  }
}

/** Throws UsageError where nothing could be kept in a folder. It is not made: there may be nothing to keep. */
export function expectFolder(folder: string): void {
  let there = resolve(folder);
  while (!existsSync(there)) {
    there = dirname(there);
  }
  if (!statSync(there).isDirectory()) {
    throw new UsageError(`nothing can be kept in ${folder}: ${there} is no folder`);
  }
  expectWritable(there);
}

/** Throws UsageError where a file could not be written. */
export function expectFile(file: string): void {
  expectFolder(dirname(file));
  if (existsSync(file)) {
    if (statSync(file).isDirectory()) {
      throw new UsageError(`${file} cannot be written: it is a folder`);
    }
    expectWritable(file);
  }
}

function expectWritable(place: string): void {
  try {
    accessSync(place, constants.W_OK);
  } catch (error) {
    throw new UsageError(`${place} cannot be written: ${messageOf(error)}`);
  }
}
