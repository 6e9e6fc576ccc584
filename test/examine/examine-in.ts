import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyMutant, MUTANTS, type Mutant } from '../../scripts/examine-shops/mutants.mjs';
import type { CaseVerdict } from '../../src/examine/verdicts/case-verdicts.ts';
import { freePort, runProgram } from '../running.ts';

export const SHOP = 'scripts/examine-shops/shop/shop.mjs';
export const ADAPTER = 'scripts/examine-shops/shop/examine.mjs';

/** Returns a function that examines a shop with the built program, which writes its files to this folder. */
export function createProgramExaminer(folder: string) {
  return async ({ adapter = ADAPTER, shop = SHOP, only = '', more = [] as string[] }) => {
    const json = join(folder, 'verdicts.json');
    const command = `"${process.execPath}" "${shop}"`;
    const args = ['examine', adapter, '--command', command, '--only', `mobile-money,${only}`, '--budget', '1ms'];
    const files = ['--json', json, '--bundles', join(folder, 'bundles')];
    const result = await runProgram([...args, ...files, ...more], {
      PORT: String(await freePort()),
      // Otherwise this examination would be shown in the summary of the CI run.
      GITHUB_STEP_SUMMARY: '',
    });
    const report = existsSync(json) ? JSON.parse(readFileSync(json, 'utf8')) : undefined;
    return { ...result, report, verdicts: (report?.verdicts ?? []) as CaseVerdict[] };
  };
}

/** Returns a function that writes a file into this folder, and returns its path. */
export function createFileWriter(folder: string): (name: string, text: string) => string {
  return (name, text) => {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  };
}

/** The source of the example shop with one mistake. */
export function faultyShopSource(name: string): string {
  const mutant = MUTANTS.find((each: Mutant) => each.name === name) as Mutant;
  return applyMutant(mutant, readFileSync(SHOP, 'utf8'));
}
