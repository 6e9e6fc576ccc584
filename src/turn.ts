/** Runs an action once the current turn's answers have been written. */
export function afterThisTurn(action: () => void): void {
  setImmediate(action);
}
