import { messageOf } from '../../../base/errors.ts';
import { OutcomeUnknown, Refusal } from '../../../base/refusal.ts';
import { StoreError } from '../store.ts';

/** The refusal of a change that could not be written to a file. `isUnusable` means that nothing can be written until the next start. */
export function storageRefusalFor(error: unknown, file: string, isUnusable: boolean): Refusal {
  if (error instanceof Refusal) {
    return error instanceof OutcomeUnknown ? error.refusalForOthers : error;
  }
  if (error instanceof StoreError) {
    return new Refusal('storage', error.message);
  }
  const advice = isUnusable ? 'Start the sandbox again' : 'Make room there, then send it again';
  return new Refusal(
    'storage',
    `the change was refused, because it could not be written to ${file} (${messageOf(error)}). ` +
      `${advice}; all changes confirmed before are safe.`,
  );
}

/** The error for a change that was written but not confirmed by the disk: only the next start can tell whether it was stored. */
export function unconfirmedWriteError(error: unknown, file: string): OutcomeUnknown {
  return new OutcomeUnknown(`the disk has not confirmed it: ${messageOf(error)}`, storageRefusalFor(error, file, true));
}
