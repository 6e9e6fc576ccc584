import { describeFinding, type Finding } from '../../../base/refusal.ts';
import { validate } from '../../../base/schema/validation.ts';
import { StoreError } from '../store.ts';
import { DATA_FORMAT } from './stored-state.ts';

const MAX_LISTED_FINDINGS = 5;

export const CORRUPTION_ADVICE =
  ' The data is corrupted or was edited; nothing was changed. Repair it, or move it away to start with no data.';

interface FileLocation {
  file: string;
  line?: number | undefined;
}

export function corruptionError({ file, line }: FileLocation, problem: string): StoreError {
  const location = line === undefined ? file : `${file}, line ${line}`;
  return new StoreError(`${location}: ${problem}.${CORRUPTION_ADVICE}`, file, line);
}

/** Throws StoreError unless the format is the one that this version reads. */
export function assertFormat(format: unknown, location: FileLocation): void {
  if (format !== DATA_FORMAT) {
    const found = typeof format === 'number' ? `format ${format}` : 'no known format';
    throw new StoreError(
      `${location.file} has ${found}; this version of the sandbox reads format ${DATA_FORMAT}. Nothing was changed. ` +
        'Use the version that wrote it, or move it away to start with no data.',
      location.file,
      location.line,
    );
  }
}

/** Throws StoreError, naming the first wrong fields, unless the value fits the schema. */
export async function assertValid(schema: string, value: unknown, location: FileLocation, prefix = ''): Promise<void> {
  const corruption = schemaError(await validate(schema, value), location, prefix);
  if (corruption) {
    throw corruption;
  }
}

export function schemaError(findings: readonly Finding[], location: FileLocation, prefix = ''): StoreError | undefined {
  const sentences = findings.slice(0, MAX_LISTED_FINDINGS).map(describeFinding).join('; ');
  return findings.length > 0 ? corruptionError(location, prefix + sentences) : undefined;
}
