import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '../../../src/server/store/file/embedded-store.ts';
import type { Store } from '../../../src/server/store/store.ts';

/** A folder with a store's files, which a test reads and changes. */
export class DataFolder {
  readonly path: string;
  readonly file: string;
  readonly journal: string;
  readonly warnings: string[] = [];

  constructor(path: string) {
    this.path = path;
    this.file = join(path, 'state.json');
    this.journal = join(path, 'state.json.journal');
  }

  open(
    options: { syncToDisk?: boolean; checkpointBytes?: number; checkpointIntervalMs?: number } = {},
  ): Promise<Store> {
    return openStore({
      file: this.file,
      syncToDisk: false,
      onWarning: (message) => this.warnings.push(message),
      ...options,
    });
  }

  /** Copies the files that a process would leave if it were killed now, except its lock. */
  copyTo(other: DataFolder): DataFolder {
    for (const [from, to] of [
      [this.file, other.file],
      [this.journal, other.journal],
    ] as const) {
      if (existsSync(from)) {
        copyFileSync(from, to);
      }
    }
    return other;
  }

  linesOf(file: string): string[] {
    return readFileSync(file, 'utf8').split('\n');
  }

  /** Changes the lines of a file by hand. */
  edit(file: string, change: (lines: string[]) => string[] | string): void {
    const changed = change(this.linesOf(file));
    writeFileSync(file, typeof changed === 'string' ? changed : changed.join('\n'));
  }

  /** Every file with its content. */
  contents(): Record<string, string> {
    return Object.fromEntries(
      readdirSync(this.path).map((name) => [name, readFileSync(join(this.path, name), 'utf8')]),
    );
  }
}
