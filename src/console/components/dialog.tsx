import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';

/** A modal dialog; the browser keeps the focus in it and closes it on Escape. */
export function Dialog({ title, children, onClose }: { title: string; children: ComponentChildren; onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  // In the layout phase, so that keys pressed right after opening reach the dialog.
  useLayoutEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it, too
    <dialog
      ref={dialog}
      aria-label={title}
      onClose={onClose}
      onClick={({ target }) => target === dialog.current && dialog.current?.close()}
    >
      <div class="dialog">
        <header>
          <h2>{title}</h2>
          <button type="button" class="bare" aria-label="Close" onClick={() => dialog.current?.close()}>
            <Icon name="cross" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
