import { accessSync, appendFileSync, constants, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { messageOf } from '../base/errors.ts';
import { type Options, textOf, UsageError } from './command.ts';

/** Writes or appends to a file, and creates its folder. Returns the name of the file. Throws UsageError. */
export function writeOutputFile(file: string, text: string, mode: 'replace' | 'append' = 'replace'): string {
  try {
    mkdirSync(dirname(file), { recursive: true });
    (mode === 'replace' ? writeFileSync : appendFileSync)(file, text);
    return file;
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${messageOf(error)}`);
  }
}

/** Writes the result of a command to the files of --json and --html. The page is only created for --html. */
export async function writeJsonAndPage(
  data: object,
  pageOf: () => Promise<string>,
  { json, html }: Options,
): Promise<void> {
  if (typeof json === 'string') {
    writeOutputFile(json, `${JSON.stringify(data, null, 2)}\n`);
  }
  if (typeof html === 'string') {
    writeOutputFile(html, await pageOf());
  }
}

/** Throws UsageError if no file can be written to a folder. The folder is not created, because it may not be needed. */
export function assertWritableFolder(folder: string): void {
  let existing = resolve(folder);
  while (!existsSync(existing)) {
    existing = dirname(existing);
  }
  if (!statSync(existing).isDirectory()) {
    throw new UsageError(`no file can be written to ${folder}: ${existing} is not a folder`);
  }
  assertWritable(existing);
}

/** Throws UsageError if a file that an option names cannot be written. */
export function assertWritableFiles(options: Options, names: readonly string[]): void {
  for (const file of names.flatMap((name) => textOf(options[name]) ?? [])) {
    assertWritableFolder(dirname(file));
    if (existsSync(file)) {
      if (statSync(file).isDirectory()) {
        throw new UsageError(`${file} cannot be written: it is a folder`);
      }
      assertWritable(file);
    }
  }
}

function assertWritable(path: string): void {
  try {
    accessSync(path, constants.W_OK);
  } catch (error) {
    throw new UsageError(`${path} cannot be written: ${messageOf(error)}`);
  }
}
