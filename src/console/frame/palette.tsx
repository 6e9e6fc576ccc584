import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { Dialog } from '../components/dialog.tsx';
import { commonCommands, detailCommands, type PaletteCommand } from './commands.ts';
import { useFoundRecords } from './find-records.ts';
import { closeOverlay } from './keys.tsx';

export function Palette() {
  const { route } = useLocation();
  const [words, setWords] = useState('');
  const [requestedIndex, setRequestedIndex] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  const close = () => closeOverlay('palette');
  // Read once, when the palette opens, because the buttons act on the record that was open at that moment.
  const [buttons] = useState(detailCommands);
  const records = useFoundRecords(words.trim()).map(({ name, path }) => ({ name, run: () => route(path) }));
  // Records are last, because they are found later and must not move the selected entry.
  const found: PaletteCommand[] = [...matching(buttons, words), ...matching(commonCommands(route), words), ...records];
  const selected = Math.min(requestedIndex, found.length - 1);
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [selected]);
  const run = (command: PaletteCommand | undefined) => {
    if (command) {
      // Closed first, because the browser then returns the focus, which the command may move.
      list.current?.closest('dialog')?.close();
      close();
      command.run();
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined) {
      event.preventDefault();
      setRequestedIndex(Math.min(found.length - 1, Math.max(0, selected + by)));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(found[selected]);
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
        aria-activedescendant={found[selected] ? `command-${selected}` : undefined}
        aria-label="Find a command"
        placeholder="Find an action, record or screen"
        value={words}
        onInput={({ currentTarget }) => {
          setWords(currentTarget.value);
          setRequestedIndex(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div class="commands" id="commands" role="listbox" aria-label="Commands" ref={list}>
        {found.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the field above keeps the focus
          <div
            key={`${index} ${command.name}`}
            id={`command-${index}`}
            role="option"
            aria-selected={index === selected}
            onClick={() => run(command)}
          >
            {command.name}
            {command.detail === undefined ? null : <span class="quiet">: {command.detail}</span>}
          </div>
        ))}
      </div>
    </Dialog>
  );
}

function matching(commands: readonly PaletteCommand[], words: string): PaletteCommand[] {
  const wanted = words.toLowerCase().split(/\s+/);
  return commands.filter(({ name, words: more = '' }) => {
    const text = `${name} ${more}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}
