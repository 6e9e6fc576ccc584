import { ask } from '../api.ts';
import { Icon } from '../components/icon.tsx';
import { type Choice, Menu } from '../components/menu.tsx';
import { behaviours, scenarios, session } from '../session-facts.ts';
import { attempt, showToast } from '../toasts.ts';

export function selectScenario(name: string): Promise<boolean> {
  return attempt(async () => {
    await ask('PUT', 'scenario', { body: { name } });
    showToast(`The session now uses ${name}.`);
  });
}

function selectBehaviour(name: string): Promise<boolean> {
  return attempt(async () => {
    await ask('PUT', 'behaviour', { body: { name } });
    showToast(`The provider now behaves as ${name}.`);
  });
}

/** A menu for the scenario and the behaviour of the session. */
export function ScenarioPicker() {
  const { scenario = '', behaviour = '' } = session.value ?? {};
  const choicesOf = (
    group: string,
    all: readonly { name: string; description: string }[],
    active: string,
    choose: (name: string) => Promise<boolean>,
  ): Choice[] =>
    all.map(({ name, description }) => ({
      key: `${group} ${name}`,
      label: name,
      detail: description,
      group,
      isChosen: name === active,
      run: () => void choose(name),
    }));
  return (
    <Menu
      name={`Scenario ${scenario}, behaviour ${behaviour}`}
      className="picker"
      button={
        <>
          <span class="picker-label" title="A scenario decides how payments end and which calls fail">
            Scenario of payments{' '}
          </span>
          <span class="picker-value" data-testid="scenario">
            {scenario}
          </span>
          <span class="picker-detail" title="A behaviour is a way in which the provider answers and notifies">
            {' '}
            Provider: <span data-testid="behaviour">{behaviour}</span>
          </span>
          <Icon name="chevron" />
        </>
      }
      choices={[
        ...choicesOf('Scenario: how payments end', scenarios.value, scenario, selectScenario),
        ...choicesOf('Behaviour: how the provider answers', behaviours.value, behaviour, selectBehaviour),
      ]}
    />
  );
}
