import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../base/errors.ts';
import { describeFindings } from '../base/refusal.ts';
import { type CoverageView, mergeCoverages } from '../base/report/coverage-cells.ts';
import { validate } from '../base/schema/validation.ts';
import { readJsonFile } from '../base/written-file.ts';
import { UsageError } from './command.ts';

/** Reads and merges the coverage that test kits wrote to files and folders. Throws UsageError if a file is not usable, or none is found. */
export async function readCoverages(paths: readonly string[]): Promise<CoverageView> {
  return mergeCoverages(await Promise.all(listFiles(paths).map(readCoverage)));
}

/** The named files, and the JSON files in named folders. */
function listFiles(paths: readonly string[]): string[] {
  return paths.flatMap((name) => {
    if (!existsSync(name) || !statSync(name).isDirectory()) {
      return name;
    }
    const inside = readdirSync(name).filter((file) => file.endsWith('.json'));
    if (inside.length === 0) {
      throw new UsageError(
        `there is no coverage in ${name}: test kits write it to the folder in their option \`coverage\``,
      );
    }
    return inside.sort().map((file) => join(name, file));
  });
}

export async function readCoverage(file: string): Promise<CoverageView> {
  let value: unknown;
  try {
    value = readJsonFile(file);
  } catch (error) {
    throw new UsageError(`${file} ${messageOf(error)}`);
  }
  const findings = await validate('control/coverage', value);
  if (findings.length > 0) {
    throw new UsageError(`${file} is not a coverage file: ${describeFindings(findings)}`);
  }
  return value as CoverageView;
}
