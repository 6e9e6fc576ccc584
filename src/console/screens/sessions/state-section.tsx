import { useRef } from 'preact/hooks';
import { sessionName } from '../../address.ts';
import { ask } from '../../api.ts';
import { Icon } from '../../components/icon.tsx';
import { Section } from '../../components/parts.tsx';
import { attempt } from '../../toasts.ts';
import { runWithUndo } from './run-with-undo.ts';

export function StateSection() {
  const file = useRef<HTMLInputElement>(null);
  const exportState = () =>
    attempt(async () => {
      const state = await ask<object>('GET', 'state');
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([JSON.stringify(state, null, 2)], { type: 'application/json' }));
      link.download = `${sessionName}.json`;
      link.click();
      URL.revokeObjectURL(link.href);
    });
  const importState = (stateFile: File | undefined) =>
    stateFile &&
    runWithUndo(sessionName, `${stateFile.name} was imported into session ${sessionName}.`, async () =>
      ask('PUT', 'state', { body: JSON.parse(await stateFile.text()) }),
    );
  return (
    <Section title={`State of session ${sessionName}`} level={2}>
      <div class="button-row">
        <button type="button" class="button" onClick={exportState}>
          <Icon name="down" />
          Export
        </button>
        <button type="button" class="button" onClick={() => file.current?.click()}>
          <Icon name="up" />
          Import…
        </button>
        <input
          ref={file}
          type="file"
          class="visually-hidden"
          aria-label="State file to import"
          tabIndex={-1}
          accept="application/json"
          onChange={({ currentTarget }) => {
            void importState(currentTarget.files?.[0]);
            currentTarget.value = '';
          }}
        />
      </div>
    </Section>
  );
}
