import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxClient } from '../index.ts';

/** Writes the coverage of the sandbox so far, for `merchant-sandbox coverage <folder>`; does nothing without a folder. */
export async function writeCoverage(
  client: SandboxClient,
  name: string,
  { coverage: folder }: { coverage?: string },
): Promise<void> {
  if (folder !== undefined) {
    const coverage = await client.coverage();
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(coverage)}\n`);
  }
}
