import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates a new folder for each call; all are deleted at the end of the test file. */
export function temporaryFolders(): () => string {
  const made: string[] = [];
  afterAll(() => {
    for (const folder of made) {
      rmSync(folder, { recursive: true, force: true });
    }
  });
  return () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'merchant-sandbox-')));
    made.push(folder);
    return folder;
  };
}
