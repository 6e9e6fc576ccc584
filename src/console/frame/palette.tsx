import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { apiAddress, baseAddress, consoleOf, pathOf } from '../address.ts';
import { Dialog } from '../components/dialog.tsx';
import { copyText } from '../copy-text.ts';
import { isForRoom, theme } from '../preferences.ts';
import { ALL_SCREENS } from '../screens/screens.ts';
import { scenarios, sessions } from '../session-facts.ts';
import { showToast } from '../toasts.ts';
import { followScenario } from './choice-pickers.tsx';
import { closeOverlay, overlay } from './keys.tsx';
import { DOCUMENTATION } from './navigation.tsx';

interface Command {
  name: string;
  run(): void;
}

/** Everything that can be done from anywhere, found by a word of its name. */
export function Palette() {
  const { route } = useLocation();
  const [words, setWords] = useState('');
  const [chosen, setChosen] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  const close = () => closeOverlay('palette');
  const wanted = words.toLowerCase().split(/\s+/);
  const found = commandsFor(route).filter(({ name }) => wanted.every((word) => name.toLowerCase().includes(word)));
  const place = Math.min(chosen, found.length - 1);
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [place]);
  const run = (command: Command | undefined) => {
    // The list to search may not be fetched yet.
    if (command) {
      close();
      command.run();
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined) {
      event.preventDefault();
      setChosen(Math.min(found.length - 1, Math.max(0, place + by)));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(found[place]);
    }
  };
  return (
    <Dialog title="Commands" onClose={close}>
      <input
        ref={field}
        class="palette-words"
        role="combobox"
        aria-expanded="true"
        aria-controls="commands"
        aria-activedescendant={found[place] ? `command-${place}` : undefined}
        aria-label="Find a command"
        placeholder="Go to a screen, use a scenario, switch session…"
        value={words}
        onInput={({ currentTarget }) => {
          setWords(currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div class="commands" id="commands" role="listbox" aria-label="Commands" ref={list}>
        {found.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above takes the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the field above keeps the focus
          <div
            key={command.name}
            id={`command-${index}`}
            role="option"
            aria-selected={index === place}
            onClick={() => run(command)}
          >
            {command.name}
          </div>
        ))}
      </div>
    </Dialog>
  );
}

function commandsFor(route: (path: string) => void): Command[] {
  return [
    ...[...ALL_SCREENS]
      .sort((one, other) => Number(one.tab === undefined) - Number(other.tab === undefined))
      .map(({ name, label }) => ({ name: `Go to ${label}`, run: () => route(pathOf(name)) })),
    ...DOCUMENTATION.map(({ path, label }) => ({
      name: `Open ${label}`,
      run: () => window.open(`${apiAddress}${path}`, '_blank', 'noreferrer'),
    })),
    { name: 'Copy the base address', run: () => void copyText(baseAddress).then(() => showToast('Copied.')) },
    ...(['auto', 'light', 'dark'] as const).map((each) => ({
      name: `Theme: ${each === 'auto' ? 'system' : each}`,
      run: () => {
        theme.value = each;
      },
    })),
    {
      name: 'Presentation mode',
      run: () => {
        isForRoom.value = !isForRoom.value;
      },
    },
    {
      name: 'Show keyboard shortcuts',
      run: () => {
        overlay.value = 'keys';
      },
    },
    ...scenarios.value.map(({ name }) => ({ name: `Use scenario ${name}`, run: () => void followScenario(name) })),
    ...sessions.value.map(({ name }) => ({
      name: `Switch to session ${name}`,
      run: () => location.assign(consoleOf(name)),
    })),
  ];
}
