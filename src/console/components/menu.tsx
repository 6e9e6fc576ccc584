import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

export interface Choice {
  key: string;
  label: ComponentChildren;
  detail?: string | undefined;
  /** The heading above it; consecutive choices with the same heading share one. */
  group?: string;
  isChosen?: boolean;
  href?: string;
  run?(): void;
}

export function Menu({
  button,
  name,
  choices,
  className = 'button',
}: {
  button: ComponentChildren;
  name: string;
  choices: readonly Choice[];
  className?: string;
}) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  // In the layout phase, so that keys pressed right after opening reach the menu.
  useLayoutEffect(() => {
    if (isOpen) {
      const items = [...(root.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
      (items.find((item) => item.getAttribute('aria-current') === 'true') ?? items[0])?.focus();
    }
  }, [isOpen]);
  const close = (returnsFocus: boolean) => {
    setOpen(false);
    if (returnsFocus) {
      opener.current?.focus();
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const items = [...(root.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
    const index = items.indexOf(document.activeElement as HTMLElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape' && isOpen) {
      event.stopPropagation();
      close(true);
    } else if (step !== undefined && isOpen) {
      event.preventDefault();
      items.at((index + step) % items.length)?.focus();
    }
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys come from the buttons inside
    <div
      class="menu"
      ref={root}
      onKeyDown={onKeyDown}
      onFocusOut={({ relatedTarget }) => {
        if (!root.current?.contains(relatedTarget as Node | null)) {
          close(false);
        }
      }}
    >
      <button
        type="button"
        class={className}
        ref={opener}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {button}
      </button>
      {isOpen ? (
        <div role="menu" aria-label={name} class="choices">
          {choices.map((choice, index) => (
            <>
              {choice.group === undefined || choice.group === choices[index - 1]?.group ? null : (
                <span class="choice-group" role="presentation">
                  {choice.group}
                </span>
              )}
              <MenuItem key={choice.key} choice={choice} onDone={() => close(true)} />
            </>
          ))}
        </div>
      ) : null}
    </div>
  );
}

function MenuItem({ choice, onDone }: { choice: Choice; onDone(): void }) {
  const { label, detail, isChosen = false, href, run } = choice;
  const content = (
    <>
      <span class="choice-label">{label}</span>
      {detail === undefined ? null : <span class="choice-detail">{detail}</span>}
    </>
  );
  if (href !== undefined) {
    return (
      <a role="menuitem" class="choice" href={href} aria-current={isChosen}>
        {content}
      </a>
    );
  }
  return (
    <button
      type="button"
      role="menuitem"
      class="choice"
      aria-current={isChosen}
      onClick={() => {
        onDone();
        run?.();
      }}
    >
      {content}
    </button>
  );
}
