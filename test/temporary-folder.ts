import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of its own for each test that asks for one, gone when the test file is done. */
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
