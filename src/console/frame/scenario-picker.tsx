import { ask } from '../api.ts';
import { Icon } from '../components/icon.tsx';
import { Menu } from '../components/menu.tsx';
import { scenarios, session } from '../facts.ts';
import { attempt, say } from '../toasts.ts';

export function followScenario(name: string): Promise<boolean> {
  return attempt(async () => {
    await ask('PUT', 'scenario', { body: { name } });
    say(`The session follows ${name} from now on.`);
  });
}

/** What the session follows. */
export function ScenarioPicker() {
  const active = session.value?.scenario ?? '';
  return (
    <Menu
      name={`Scenario ${active}`}
      kind="picker"
      button={
        <>
          <span class="picker-label">Scenario </span>
          <span class="picker-value" data-testid="scenario">
            {active}
          </span>
          <Icon name="chevron" />
        </>
      }
      choices={scenarios.value.map(({ name, description }) => ({
        key: name,
        label: name,
        detail: description,
        isChosen: name === active,
        run: () => void followScenario(name),
      }))}
    />
  );
}
