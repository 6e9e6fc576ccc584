import { pathOf, type Screen } from '../address.ts';
import { OneLine } from '../components/one-line.tsx';

const KINDS: readonly [Screen, string][] = [
  ['payments', 'Payments'],
  ['payouts', 'Payouts'],
  ['links', 'Links'],
  ['recurring', 'Recurring'],
  ['tokens', 'Tokens'],
  ['codes', 'Codes'],
  ['settlements', 'Settlements'],
];

/** What the tab of payments stands for besides them: the other kinds, and what is reached from settlements. */
export const BESIDE_PAYMENTS: readonly [Screen, string][] = [
  ...KINDS.slice(1),
  ['balances', 'Balances'],
  ['ledger', 'Ledger'],
];

/** What money comes and goes by, side by side. */
export function Kinds({ screen }: { screen: Screen }) {
  return (
    <nav class="kinds" aria-label="Kinds of payments">
      <OneLine
        more="More"
        kind="kind"
        choices={KINDS.map(([each, label]) => ({ key: each, label, href: pathOf(each), isChosen: each === screen }))}
        draw={({ label, href, isChosen }) => (
          <a class="kind" href={href} aria-current={isChosen ? 'page' : undefined}>
            {label}
          </a>
        )}
      />
    </nav>
  );
}
