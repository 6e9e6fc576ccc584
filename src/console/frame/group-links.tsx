import { pathOf } from '../address.ts';
import { OneLine } from '../components/one-line.tsx';
import { ALL_SCREENS, type Screen, TABS, tabScreenOf } from '../screens/screens.ts';

/** Links to the screens that share a tab with this one; nothing if it is the only one. */
export function GroupLinks({ screen }: { screen: Screen }) {
  const tab = tabScreenOf(screen);
  const members = ALL_SCREENS.filter(({ name }) => tabScreenOf(name) === tab);
  return members.length === 1 ? null : (
    <nav class="kinds" aria-label={TABS.find((each) => each.screen === tab)?.label}>
      <OneLine
        more="More"
        className="kind"
        choices={members.map(({ name, label }) => ({
          key: name,
          label,
          href: pathOf(name),
          isChosen: name === screen,
        }))}
        render={({ label, href, isChosen }) => (
          <a class="kind" href={href} aria-current={isChosen ? 'page' : undefined}>
            {label}
          </a>
        )}
      />
    </nav>
  );
}
