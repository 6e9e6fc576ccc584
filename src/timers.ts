/** Runs an action once the current turn's answers have been written. */
export function afterThisTurn(action: () => void): void {
  setImmediate(action);
}

/** Runs an action after some real milliseconds; the process may end before. For upkeep, never for what a session's clock decides. */
export function afterMilliseconds(milliseconds: number, action: () => void): void {
  setTimeout(action, milliseconds).unref();
}
