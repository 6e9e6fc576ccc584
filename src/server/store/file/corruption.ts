import { describeFinding, type Finding } from '../../../base/refusal.ts';
import { validate } from '../../../base/schema/validation.ts';
import { StoreError } from '../store.ts';
import { FORMAT } from './stored-state.ts';

/** The most findings in one message. */
const MAX_FINDINGS = 5;

/** A place in a file. */
interface Place {
  file: string;
  line?: number | undefined;
}

/** The error for data that cannot be read. */
export function corrupted({ file, line }: Place, what: string): StoreError {
  const place = line === undefined ? file : `${file}, line ${line}`;
  return new StoreError(
    `${place}: ${what}. The data is corrupted or was edited; nothing was changed. Repair it, or move it away to start with no data.`,
    file,
    line,
  );
}

/** Throws StoreError unless the format is one that this version reads. */
export function expectFormat(format: unknown, place: Place): void {
  if (format !== FORMAT) {
    const came = typeof format === 'number' ? `format ${format}` : 'no known format';
    throw new StoreError(
      `${place.file} has ${came}; this version of the sandbox reads format ${FORMAT}. Nothing was changed. ` +
        'Use the version that wrote it, or move it away to start with no data.',
      place.file,
      place.line,
    );
  }
}

/** Throws StoreError, naming every wrong field, unless the value fits the schema. */
export async function expectValid(schema: string, value: unknown, place: Place, prefix = ''): Promise<void> {
  const corruption = corruptionOf(await validate(schema, value), place, prefix);
  if (corruption) {
    throw corruption;
  }
}

/** The error for data that does not fit a schema; undefined without findings. */
export function corruptionOf(findings: readonly Finding[], place: Place, prefix = ''): StoreError | undefined {
  const sentences = findings.slice(0, MAX_FINDINGS).map(describeFinding).join('; ');
  return findings.length > 0 ? corrupted(place, prefix + sentences) : undefined;
}
