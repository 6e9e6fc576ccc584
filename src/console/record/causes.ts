/** Who or what made a change. */
export const CAUSES: Readonly<Record<string, string>> = {
  merchant: 'by the merchant',
  payer: 'by the payer',
  scenario: 'by the scenario',
  fixtures: 'by the fixtures',
  control: 'by hand',
  clock: 'by the clock',
};

/** What made a change, in two words. What was planned without a rule, as the charge of a recurring payment, no scenario decided. */
export function causeInWords({ cause, decidedBy }: { cause: string; decidedBy?: string }): string {
  return cause === 'scenario' && decidedBy === undefined ? 'as planned' : (CAUSES[cause] ?? cause);
}
