import { useMemo, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import type { Finding } from '../../../base/schema/generated/control.ts';
import type { ScenarioFixture } from '../../../base/schema/generated/fixtures.ts';
import { tryParseJson } from '../../../base/text/try-parse-json.ts';
import { pathOf } from '../../address.ts';
import { ask, ControlApiError, messageOf } from '../../api.ts';
import { Icon } from '../../components/icon.tsx';
import { JsonView } from '../../components/json-view.tsx';
import { joinTexts, Section, shortDuration } from '../../components/parts.tsx';
import { selectScenario } from '../../frame/scenario-picker.tsx';
import { ownScenarios, session } from '../../session-facts.ts';
import { attempt, runExclusively, showToast, trackScreen } from '../../toasts.ts';
import { DefinitionForm } from './definition-form.tsx';
import { LastCalls } from './last-calls.tsx';
import { Rules } from './rules.tsx';

const TEMPLATE: ScenarioFixture = {
  name: 'large-payments-fail',
  description: 'Payments of 1,000 or more are declined; the others are paid after three seconds.',
  rules: [
    {
      when: { amount: { minimum: 1000 } },
      settle: { outcome: 'Failed', after: '3s', code: '61' },
    },
    { settle: { outcome: 'Paid', after: '3s' } },
  ],
};

/** `scenario` is undefined for a new one. */
export function ScenarioDetail({ scenario }: { scenario: ScenarioFixture | undefined }) {
  const [text, setText] = useState(() => textOf(scenario ?? TEMPLATE));
  const isInUse = scenario !== undefined && session.value?.scenario === scenario.name;
  const definition = useMemo(() => tryParseJson(text), [text]);
  const name = scenario?.name ?? 'New scenario';
  const trial = (
    <Section key="trial" title="What it would do to your last calls">
      <Rules definition={definition} />
      <LastCalls definition={definition} isInUse={isInUse && text === textOf(scenario)} />
    </Section>
  );
  const editor = (
    <Editor key="editor" text={text} onChange={setText} definition={definition} isNew={scenario === undefined} />
  );
  return (
    <>
      <header class="record-head">
        <p class="record-kind">{joinTexts(['Scenario', scenario?.id ?? null], ' ')}</p>
        <div class="record-line">
          <h2 data-testid="record">{name}</h2>
          {isInUse ? <span class="state active">in use</span> : null}
        </div>
        <p class="record-detail">{scenario?.description}</p>
        {scenario?.advice === undefined ? null : <p class="hint">{scenario.advice}</p>}
        {scenario === undefined ? null : (
          <div class="button-row">
            <button type="button" class="button primary" disabled={isInUse} onClick={() => selectScenario(name)}>
              Use this scenario
            </button>
            {ownScenarios.value.has(name) ? <DeleteButton name={name} /> : null}
          </div>
        )}
      </header>
      {scenario === undefined ? [editor, trial] : [trial, editor]}
    </>
  );
}

/** Members that are durations. Another text that looks like one, such as a reference, must stay as it is. */
const DURATIONS: readonly string[] = ['after', 'latency', 'tokenLifetime', 'late'];

/** The part of a scenario that the user can change, as text, with durations as people type them. */
function textOf({ $schema: _, id: __, advice: ___, ...editable }: ScenarioFixture): string {
  return JSON.stringify(editable, (name, value) => (DURATIONS.includes(name) ? shortDuration(value) : value), 2);
}

function DeleteButton({ name }: { name: string }) {
  const { route } = useLocation();
  const remove = async () => {
    if (await attempt(() => ask('DELETE', `scenarios/${encodeURIComponent(name)}`))) {
      showToast(`This session's version of ${name} was deleted.`);
      route(pathOf('scenarios'));
    }
  };
  return (
    <button type="button" class="button danger" onClick={remove}>
      <Icon name="trash" />
      Delete this session's version
    </button>
  );
}

interface EditorProps {
  text: string;
  onChange(text: string): void;
  definition: unknown;
  isNew: boolean;
}

function Editor({ text, onChange, definition, isNew }: EditorProps) {
  const { route } = useLocation();
  const [refusal, setRefusal] = useState<{ words: string; findings: readonly Finding[] }>();
  const latest = useRef(text);
  latest.current = text;
  const save = async () => {
    if (definition === undefined) {
      setRefusal({ words: jsonErrorIn(text), findings: [] });
      return;
    }
    const isSameScreen = trackScreen();
    const { name } = definition as ScenarioFixture;
    try {
      await ask('PUT', `scenarios/${encodeURIComponent(name)}`, { body: definition });
      setRefusal(undefined);
      showToast(`${name} was saved in this session.`);
      // A text that was changed during the call must not be lost.
      if (isSameScreen() && latest.current === text) {
        route(pathOf('scenarios', name));
      }
    } catch (error) {
      setRefusal({ words: messageOf(error), findings: error instanceof ControlApiError ? error.findings : [] });
    }
  };
  return (
    <Section
      title="Definition"
      extra={
        <button type="button" class="button primary" onClick={() => runExclusively(save)}>
          Save in this session
        </button>
      }
    >
      <details class="headers" open={isNew}>
        <summary>Edit it with a form</summary>
        {definition === undefined ? (
          <p class="hint">The definition below is not JSON.</p>
        ) : (
          <DefinitionForm definition={definition} onChange={(changed) => onChange(JSON.stringify(changed, null, 2))} />
        )}
      </details>
      <div class={refusal === undefined ? '' : 'exchange'}>
        <textarea
          class="editor"
          rows={Math.min(32, text.split('\n').length + 1)}
          aria-label="Definition"
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
        {refusal === undefined ? null : (
          <div role="status" data-testid="refused">
            {refusal.findings.length === 0 ? (
              <p class="why bad">{refusal.words}</p>
            ) : (
              <JsonView value={definition} label="Findings" findings={refusal.findings} />
            )}
          </div>
        )}
      </div>
    </Section>
  );
}

function jsonErrorIn(text: string): string {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    return `This is not JSON: ${messageOf(error)}`;
  }
}
