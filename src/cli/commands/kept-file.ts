import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
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
