import type { Finding } from '../../refusal.ts';
import { validate } from '../../schema/validation.ts';
import { recordSchemas } from '../record-schemas.ts';
import { type CollectionName, StoreError } from '../store.ts';
import { FORMAT } from './state.ts';

/** More than these in one message help nobody. */
const MOST_FINDINGS = 5;

/** Where something was read. */
interface Place {
  file: string;
  line?: number | undefined;
}

/** The error for what cannot be read as it stands. */
export function corrupted({ file, line }: Place, what: string): StoreError {
  const place = line === undefined ? file : `${file}, line ${line}`;
  return new StoreError(
    `${place}: ${what}. The data is corrupted or was edited; nothing was changed. Mend it, or move it away to start anew.`,
    file,
    line,
  );
}

/** Throws StoreError unless the format is the one this version reads. */
export function expectFormat(format: unknown, place: Place): void {
  if (format !== FORMAT) {
    const came = typeof format === 'number' ? `format ${format}` : 'no known format';
    throw new StoreError(
      `${place.file} has ${came}; this version of the sandbox reads format ${FORMAT}. Nothing was changed. ` +
        'Use the version that wrote it, or move it away to start anew.',
      place.file,
      place.line,
    );
  }
}

/** Throws StoreError, naming every wrong field, unless the value fits the schema. */
export async function expectValid(
  schema: string,
  value: unknown,
  placeOf: (finding: Finding) => Place,
  prefix = '',
): Promise<void> {
  const findings = await validate(schema, value);
  const [first] = findings;
  if (first) {
    const sentences = findings
      .slice(0, MOST_FINDINGS)
      .map(({ path, expected, received }) => `${path} expected ${expected}, received ${received}`);
    throw corrupted(placeOf(first), prefix + sentences.join('; '));
  }
}

/** Throws StoreError unless the record fits its collection's schema. */
export function expectRecord(collection: CollectionName, record: unknown, place: Place): Promise<void> {
  return expectValid(
    recordSchemas()[collection],
    record,
    () => place,
    `a record of ${collection} has the wrong shape: `,
  );
}
