import { useRoute } from 'preact-iso/router';
import { pathOf } from '../../address.ts';
import { Icon } from '../../components/icon.tsx';
import { useTitle } from '../../components/page.tsx';
import { Empty } from '../../components/parts.tsx';
import { Shape } from '../../components/state.tsx';
import { scenarios, session } from '../../session-facts.ts';
import { ScenarioDetail } from './scenario-detail.tsx';

/** The id in the address while a new scenario is created. No scenario has this name, because it contains a space. */
const NEW_SCENARIO = 'new scenario';

export function Scenarios() {
  const { id } = useRoute().params;
  useTitle(id ?? 'Scenarios');
  const active = scenarios.value.find(({ name }) => name === session.value?.scenario);
  const ordered = [...scenarios.value].sort((one, other) => Number(other === active) - Number(one === active));
  const shown = scenarios.value.find(({ name }) => name === id);
  return (
    <div class={`split ${id === undefined ? '' : 'open'}`}>
      <h1 class="visually-hidden">Scenarios</h1>
      <section class="list" aria-label="Scenarios">
        <header class="list-head">
          <p class="list-title">Scenarios</p>
          <a class="button" href={pathOf('scenarios', NEW_SCENARIO)}>
            <Icon name="plus" />
            New
          </a>
        </header>
        <p class="list-words">A scenario decides how payments end and which calls fail. The first one is in use.</p>
        <div class="rows">
          <ol>
            {ordered.map(({ name, description }) => (
              <ScenarioRow key={name} name={name} description={description} isOpen={name === (id ?? active?.name)} />
            ))}
          </ol>
        </div>
      </section>
      <section class="detail" aria-label="Detail" tabIndex={-1}>
        {id === undefined ? (
          <div class="detail-content">
            {active === undefined ? null : <ScenarioDetail key={active.name} scenario={active} />}
          </div>
        ) : (
          <div key={id} class="detail-content">
            <a class="back" href={pathOf('scenarios')}>
              ‹ Scenarios
            </a>
            {shown !== undefined || id === NEW_SCENARIO ? (
              <ScenarioDetail key={id} scenario={shown} />
            ) : (
              <Empty title={`There is no scenario ${id}`} />
            )}
          </div>
        )}
      </section>
    </div>
  );
}

function ScenarioRow({ name, description, isOpen }: { name: string; description: string; isOpen: boolean }) {
  const isInUse = session.value?.scenario === name;
  return (
    <li>
      <a class="row tall" href={pathOf('scenarios', name)} aria-current={isOpen ? 'true' : undefined}>
        <span class="row-shape">{isInUse ? <Shape tone="active" /> : <Icon name="scenarios" />}</span>
        <span class="row-title">{name}</span>
        <span class="row-value">{isInUse ? <span class="state active">in use</span> : null}</span>
        <span class="row-detail">{description}</span>
      </a>
    </li>
  );
}
