import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Returns a function that creates a folder. All its folders are deleted at the end of the test file. */
export function temporaryFolders(): () => string {
  const created: string[] = [];
  afterAll(() => {
    for (const folder of created) {
      rmSync(folder, { recursive: true, force: true });
    }
  });
  return () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'merchant-sandbox-')));
    created.push(folder);
    return folder;
  };
}
