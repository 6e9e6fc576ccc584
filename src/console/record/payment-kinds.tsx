import { pathOf } from '../address.ts';
import { OneLine } from '../components/one-line.tsx';
import { ALL_SCREENS, type Screen } from '../screens/screens.ts';

/** Links to the other kinds of payments. */
export function PaymentKinds({ screen }: { screen: Screen }) {
  return (
    <nav class="kinds" aria-label="Kinds of payments">
      <OneLine
        more="More"
        kind="kind"
        choices={ALL_SCREENS.filter(({ isKind }) => isKind).map(({ name, label }) => ({
          key: name,
          label,
          href: pathOf(name),
          isChosen: name === screen,
        }))}
        draw={({ label, href, isChosen }) => (
          <a class="kind" href={href} aria-current={isChosen ? 'page' : undefined}>
            {label}
          </a>
        )}
      />
    </nav>
  );
}
