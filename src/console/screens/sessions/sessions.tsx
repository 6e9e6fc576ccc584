import { useEffect, useState } from 'preact/hooks';
import type { SessionView } from '../../../base/schema/generated/control.ts';
import { consoleOf, pathOf, sessionName } from '../../address.ts';
import { ask } from '../../api.ts';
import { Icon } from '../../components/icon.tsx';
import { Page } from '../../components/page.tsx';
import { Copy, Moment, Section } from '../../components/parts.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { Table } from '../../components/table.tsx';
import { fromFieldValue, zoneName } from '../../format.ts';
import { zone } from '../../preferences.ts';
import { fetchSessions, now, scenarios, sessions } from '../../session-facts.ts';
import { attempt, showToast } from '../../toasts.ts';
import { Compare } from './compare.tsx';
import { deleteSession, resetSession } from './run-with-undo.ts';
import { StateSection } from './state-section.tsx';

const COLUMNS = [
  { name: 'Name' },
  { name: 'Scenario' },
  { name: 'Clock' },
  { name: 'Base address' },
  { name: 'Actions', isNameHidden: true },
];

export function Sessions({ id }: { id?: string }) {
  return id === undefined ? <AllSessions /> : <Compare other={id} />;
}

function AllSessions() {
  useEffect(() => {
    void attempt(fetchSessions);
  }, []);
  return (
    <Page screen="sessions" title="Sessions">
      <header class="record-head">
        <h1>Sessions</h1>
        <p class="record-detail">
          Separate sandboxes, for example one for each test: each has its own records, clock, ids and scenario. The
          first call to its base address creates it.
        </p>
      </header>
      <Table columns={COLUMNS} rows={sessions.value.map(rowOf)} />
      <Section title="New session" level={2}>
        <NewSession />
      </Section>
      <StateSection />
    </Page>
  );
}

function rowOf(session: SessionView) {
  const { name, scenario, clock, now: time, url } = session;
  return {
    key: name,
    cells: [
      <SessionName key="name" session={session} />,
      scenario,
      <>
        {clock === 'real' ? 'runs' : 'frozen'} <Moment at={time} />
      </>,
      <>
        <code>{url}</code>
        <Copy text={url} label={`Copy the base address of ${name}`} />
      </>,
      <Actions key="actions" name={name} />,
    ],
  };
}

function SessionName({ session: { name, forkedFrom } }: { session: SessionView }) {
  return (
    <>
      <a href={consoleOf(name)}>
        <b>{name}</b>
      </a>
      {name === sessionName ? <span class="quiet"> (current)</span> : null}
      {forkedFrom === undefined ? null : (
        <p class="quiet">
          forked from {forkedFrom.session} after {forkedFrom.at}
        </p>
      )}
    </>
  );
}

function Actions({ name }: { name: string }) {
  return (
    <div class="actions">
      {name === sessionName ? null : (
        <a class="button" href={pathOf('sessions', name)} aria-label={`Compare ${sessionName} with ${name}`}>
          Compare
        </a>
      )}
      <button type="button" class="button" aria-label={`Reset ${name}`} onClick={() => resetSession(name)}>
        Reset
      </button>
      <button type="button" class="button danger" aria-label={`Delete ${name}`} onClick={() => deleteSession(name)}>
        Delete
      </button>
    </div>
  );
}

function NewSession() {
  const [fields, setFields] = useState({ name: '', scenario: '', seed: '', now: '' });
  const field = (name: keyof typeof fields) => ({
    value: fields[name],
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLSelectElement }) =>
      setFields((before) => ({ ...before, [name]: currentTarget.value })),
  });
  const create = async (event: Event) => {
    event.preventDefault();
    const entries = Object.entries({ ...fields, now: fields.now === '' ? '' : fromFieldValue(fields.now, zone.value) });
    const body = Object.fromEntries(entries.filter(([, value]) => value !== ''));
    if (await attempt(() => ask('POST', 'sessions', { body }))) {
      await fetchSessions();
      const { url } = sessions.value.find(({ name }) => name === fields.name) ?? { url: '' };
      showToast(`Session ${fields.name} was created. Its base address: ${url}`, {
        label: 'Open it',
        run: () => location.assign(consoleOf(fields.name)),
      });
      // A form that was changed during the call is for the next session.
      setFields((current) => (current === fields ? { name: '', scenario: '', seed: '', now: '' } : current));
    }
  };
  return (
    <form class="form in-line" onSubmit={create}>
      <label>
        Name
        <input required pattern="[A-Za-z0-9._\-]+" placeholder="checkout" {...field('name')} />
      </label>
      <SelectField
        label="Scenario"
        options={[['', 'as set at start-up'], ...scenarios.value.map(({ name }) => [name, name] as const)]}
        {...field('scenario')}
      />
      <label>
        Seed (of ids and random choices)
        <input placeholder="random" {...field('seed')} />
      </label>
      <label>
        Clock frozen at, in {zoneName(now.value, zone.value)}
        <input type="datetime-local" step="1" {...field('now')} />
      </label>
      <button type="submit" class="button primary">
        <Icon name="plus" />
        Create
      </button>
    </form>
  );
}
