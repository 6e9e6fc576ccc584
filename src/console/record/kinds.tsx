import { pathOf, type Screen } from '../address.ts';

const KINDS: readonly [Screen, string][] = [
  ['payments', 'Payments'],
  ['payouts', 'Payouts'],
  ['links', 'Links'],
  ['recurring', 'Recurring'],
  ['tokens', 'Tokens'],
  ['codes', 'Codes'],
  ['settlements', 'Settlements'],
];

/** What money comes and goes by, side by side. */
export function Kinds({ screen }: { screen: Screen }) {
  return (
    <nav class="kinds" aria-label="Kinds of payments">
      {KINDS.map(([each, label]) => (
        <a key={each} href={pathOf(each)} aria-current={each === screen ? 'page' : undefined}>
          {label}
        </a>
      ))}
    </nav>
  );
}
