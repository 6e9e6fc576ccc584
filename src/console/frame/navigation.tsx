import { useLocation } from 'preact-iso/router';
import { apiAddress, consoleOf, pathOf, sameScreenIn, screenOf, sessionName } from '../address.ts';
import { Icon, Logo } from '../components/icon.tsx';
import { Menu } from '../components/menu.tsx';
import { OneLine } from '../components/one-line.tsx';
import { isPresentationMode, type Theme, theme, togglePresentationMode } from '../preferences.ts';
import { TABS, tabScreenOf } from '../screens/screens.ts';
import { session, sessions } from '../session-facts.ts';
import { connection } from '../stream.ts';
import type { Connection } from '../stream-hub.ts';
import { ScenarioPicker } from './scenario-picker.tsx';

/** Other pages of the sandbox, by their paths below the control API. */
export const DOCUMENTATION = [
  { path: 'guide/', label: 'Guide', icon: 'docs' },
  { path: 'docs', label: 'API reference', icon: 'reference' },
] as const;

export function Navigation() {
  const screen = screenOf(useLocation().path);
  return (
    <aside class="side">
      <a class="brand" href={pathOf('overview')} aria-label="merchant-sandbox">
        <Logo />
        <span>merchant-sandbox</span>
      </a>
      {isPresentationMode.value ? null : <Pickers />}
      <Lineage />
      <nav aria-label="Screens">
        <OneLine
          more="More"
          className="tab"
          choices={TABS.map((tab) => ({
            key: tab.screen,
            label: tab.label,
            href: pathOf(tab.screen),
            isChosen: tab.screen === tabScreenOf(screen),
            icon: tab.icon,
          }))}
          render={({ label, href, isChosen, icon }) => (
            <a class="tab" href={href} aria-current={isChosen ? 'page' : undefined}>
              <Icon name={icon} />
              {label}
            </a>
          )}
        />
        {DOCUMENTATION.map(({ path, label, icon }) => (
          <a key={path} class="tab docs" href={`${apiAddress}${path}`} target="_blank" rel="noreferrer">
            <Icon name={icon} />
            {label}
          </a>
        ))}
      </nav>
      <ConnectionStatus />
    </aside>
  );
}

export function Pickers() {
  return (
    <div class="pickers">
      <SessionPicker />
      <ScenarioPicker />
    </div>
  );
}

function SessionPicker() {
  const names = [...new Set(['default', sessionName, ...sessions.value.map(({ name }) => name)])];
  return (
    <Menu
      name={`Session ${sessionName}`}
      className="picker"
      button={
        <>
          <span class="picker-label">Session </span>
          <span class="picker-value">{sessionName}</span>
          <Icon name="chevron" />
        </>
      }
      choices={[
        ...names.map((name) => ({
          key: name,
          label: name,
          detail: sessions.value.find((each) => each.name === name)?.url,
          href: consoleOf(name),
          isChosen: name === sessionName,
        })),
        { key: ' all', label: 'All sessions…', href: pathOf('sessions') },
      ]}
    />
  );
}

function Lineage() {
  const from = session.value?.forkedFrom;
  return from === undefined ? null : (
    <p class="lineage" data-testid="lineage">
      Forked from <a href={sameScreenIn(from.session)}>{from.session}</a> after {from.at}.{' '}
      <a href={pathOf('sessions', from.session)}>Compare</a>
    </p>
  );
}

const CONNECTION_WORDS: Readonly<Record<Connection, string>> = {
  connecting: 'Connecting',
  live: 'Connected',
  lost: 'Reconnecting',
  paused: 'Paused',
  closed: 'Not connected',
};

function ConnectionStatus() {
  return (
    <p class={`live ${connection.value}`} role="status" title="Connection to the sandbox" data-testid="live">
      <span class="dot" />
      <span>{CONNECTION_WORDS[connection.value]}</span>
    </p>
  );
}

const THEMES: readonly { theme: Theme; label: string }[] = [
  { theme: 'auto', label: 'System' },
  { theme: 'light', label: 'Light' },
  { theme: 'dark', label: 'Dark' },
];

export function Appearance() {
  return (
    <div class="appearance">
      <Menu
        name="Theme"
        className="bare"
        button={
          <>
            <Icon name={theme.value} />
            <span class="tool-label">Theme</span>
          </>
        }
        choices={THEMES.map(({ theme: each, label }) => ({
          key: each,
          label,
          isChosen: each === theme.value,
          run: () => {
            theme.value = each;
          },
        }))}
      />
      <button
        type="button"
        class="bare presentation"
        aria-pressed={isPresentationMode.value}
        title="Presentation mode: one thing at a time, in large text"
        onClick={togglePresentationMode}
      >
        <Icon name="room" />
        <span class="tool-label">Large text</span>
      </button>
    </div>
  );
}
