/** Who or what made a change. */
export const CAUSES: Readonly<Record<string, string>> = {
  merchant: 'by the merchant',
  payer: 'by the payer',
  scenario: 'by the scenario',
  fixtures: 'by the fixtures',
  control: 'by hand',
  clock: 'by the clock',
};
