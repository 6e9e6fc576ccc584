import { accessSync, appendFileSync, constants, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { messageOf } from '../base/errors.ts';
import { type Options, UsageError } from './command.ts';

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

/** Writes what a command has to show into the files that --json and --html name. The page is made only where it is asked for. */
export async function keepForms(data: object, pageOf: () => Promise<string>, { json, html }: Options): Promise<void> {
  if (typeof json === 'string') {
    keep(json, `${JSON.stringify(data, null, 2)}\n`);
  }
  if (typeof html === 'string') {
    keep(html, await pageOf());
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
