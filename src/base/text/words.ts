/** A name such as `settle-payment` or `initiatePayment`, as words for people. */
export function inWords(name: string): string {
  const words = name
    // Pages use other words for these names. For example, a failed delivery on a page is one that was given up.
    .replace('BulkPayment', 'SplitPayment')
    .replace('BulkPayout', 'Payout')
    .replace('FastCheckout', 'PaymentLink')
    .replace('delivery.failed', 'delivery.attempt-failed')
    .replace('payment.wrong-pin', 'wrong-pin-entered')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[-_.]/g, ' ')
    .toLowerCase();
  return capitalize(words);
}

export function capitalize(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const UNITS: readonly [number, string][] = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
  [1, 's'],
];

/** A duration, rounded up to the second, by its largest units, two by default: 14 min 59 s. */
export function lengthInWords(milliseconds: number, maxParts = 2): string {
  let seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const parts: string[] = [];
  for (const [length, unit] of UNITS) {
    const count = Math.floor(seconds / length);
    if (count > 0 && parts.length < maxParts) {
      parts.push(`${count} ${unit}`);
    }
    seconds %= length;
  }
  return parts.join(' ') || '0 s';
}
