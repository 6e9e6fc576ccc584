import { ask } from '../api.ts';
import { Icon } from '../components/icon.tsx';
import { Menu } from '../components/menu.tsx';
import { behaviours, scenarios, session } from '../session-facts.ts';
import { attempt, showToast } from '../toasts.ts';

export function followScenario(name: string): Promise<boolean> {
  return attempt(async () => {
    await ask('PUT', 'scenario', { body: { name } });
    showToast(`The session now uses ${name}.`);
  });
}

function takeBehaviour(name: string): Promise<boolean> {
  return attempt(async () => {
    await ask('PUT', 'behaviour', { body: { name } });
    showToast(`The provider now behaves as ${name}.`);
  });
}

/** Chooses the scenario that the session follows. */
export function ScenarioPicker() {
  const active = session.value?.scenario ?? '';
  return <Picker label="Scenario" active={active} choices={scenarios.value} choose={followScenario} />;
}

/** Chooses how the provider behaves in the session. */
export function BehaviourPicker() {
  const active = session.value?.behaviour ?? '';
  return <Picker label="Behaviour" active={active} choices={behaviours.value} choose={takeBehaviour} />;
}

interface PickerProps {
  label: string;
  active: string;
  choices: readonly { name: string; description: string }[];
  choose(name: string): Promise<boolean>;
}

function Picker({ label, active, choices, choose }: PickerProps) {
  return (
    <Menu
      name={`${label} ${active}`}
      kind="picker"
      button={
        <>
          <span class="picker-label">{label} </span>
          <span class="picker-value" data-testid={label.toLowerCase()}>
            {active}
          </span>
          <Icon name="chevron" />
        </>
      }
      choices={choices.map(({ name, description }) => ({
        key: name,
        label: name,
        detail: description,
        isChosen: name === active,
        run: () => void choose(name),
      }))}
    />
  );
}
