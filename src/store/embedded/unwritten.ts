import { Refusal } from '../../refusal.ts';
import { StoreError } from '../store.ts';

/** The refusal of a change that could not be written to a file. `isLost` says that nothing can be until the next start. */
export function refusalFor(error: unknown, file: string, isLost: boolean): Refusal {
  if (error instanceof Refusal) {
    return error;
  }
  if (error instanceof StoreError) {
    return new Refusal('storage', error.message);
  }
  const whatToDo = isLost ? 'Start the sandbox again' : 'Make room there, then send it again';
  const reason = error instanceof Error ? error.message : String(error);
  return new Refusal(
    'storage',
    `the change was refused, because it could not be written to ${file} (${reason}). ` +
      `${whatToDo}; all changes confirmed before are safe.`,
  );
}
