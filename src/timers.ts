import type { Instant } from './time.ts';

/**
 * The machine's own clock and timers, for real time alone: how long work took, how long a receiver may take, when upkeep is
 * done. What a session does later, its scheduler does.
 */
export function machineNow(): Instant {
  return Date.now();
}

/** Runs an action once the current turn's answers have been written. */
export function afterThisTurn(action: () => void): void {
  setImmediate(action);
}

/** Resolves once the current turn's answers have been written. */
export function endOfTurn(): Promise<void> {
  return new Promise((resolve) => afterThisTurn(resolve));
}

/** Runs an action after some real milliseconds; the process may end before. Returns its cancel. */
export function afterMilliseconds(milliseconds: number, action: () => void): () => void {
  const timer = setTimeout(action, milliseconds);
  timer.unref();
  return () => clearTimeout(timer);
}
