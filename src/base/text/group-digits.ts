/** A decimal as people read it: 1249.90 → 1,249.90. */
export function groupDigits(decimal: string): string {
  return decimal.replace(/^-?\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ','));
}
