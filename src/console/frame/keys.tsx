import { signal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { pathOf, screenOf } from '../address.ts';
import { Dialog } from '../components/dialog.tsx';
import { ALL_SCREENS, type Screen } from '../screens/screens.ts';

type Overlay = 'palette' | 'keys';

export const overlay = signal<Overlay | undefined>(undefined);

export function openOverlay(opened: Overlay): void {
  overlay.value = opened;
}

/** Closes an overlay, unless another one has been opened: the browser reports the end of a dialog late. */
export function closeOverlay(closed: Overlay): void {
  if (overlay.value === closed) {
    overlay.value = undefined;
  }
}

const KEYS: readonly [keys: string, effect: string][] = [
  ['j  k', 'next or previous in the list'],
  ['Enter', 'open, and go into it'],
  ['Esc', 'close, or go back to the list'],
  ['/', 'search the list'],
  ['f', 'hold back new rows of the list, or show them'],
  ...ALL_SCREENS.flatMap(({ key, label, tab }): [string, string][] =>
    key === undefined ? [] : [[`g ${key}`, tab?.label ?? label]],
  ),
  ['Ctrl K', 'show commands'],
  ['Ctrl Enter', 'send (in Try it)'],
  ['?', 'show these shortcuts'],
];

export function KeysDialog() {
  return (
    <Dialog title="Keyboard shortcuts" onClose={() => closeOverlay('keys')}>
      <dl class="keys">
        {KEYS.map(([keys, effect]) => (
          <div key={keys}>
            <dt>{keys.split(' ').map((key) => (key === '' ? ' ' : <kbd key={key}>{key}</kbd>))}</dt>
            <dd>{effect}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');

/** The time limit for the second key of a sequence such as `g p`. */
const SEQUENCE_MS = 1200;

/** Handles the keys that every screen has. */
export function useKeys(): void {
  const { route } = useLocation();
  useFocusOnDetail();
  // In the layout phase, so that keys pressed right after rendering are handled.
  useLayoutEffect(() => {
    let startedAt = 0;
    const onKey = (event: KeyboardEvent) => {
      isOpening = false;
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        openOverlay('palette');
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) {
        return;
      }
      if (event.key === 'Escape') {
        handleEscape(event.target, route);
        return;
      }
      if (isTyping(event.target)) {
        return;
      }
      const screen =
        Date.now() - startedAt < SEQUENCE_MS ? ALL_SCREENS.find(({ key }) => key === event.key) : undefined;
      startedAt = event.key === 'g' ? Date.now() : 0;
      if (screen) {
        event.preventDefault();
        route(pathOf(screen.name));
      } else if (handleKey(event.key, route)) {
        event.preventDefault();
      }
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [route]);
}

/** Whether a key opened a record. True until the next key or click, because the script of its screen may have to be fetched first. */
let isOpening = false;

export function focusOpenedDetail(): void {
  if (isOpening) {
    document.querySelector<HTMLElement>('.split.open .detail')?.focus();
  }
}

/**
 * Opening a record with Enter moves the focus into its detail, because otherwise Tab would go through all rows of the list first.
 * A browser reports Enter on a link as a click without a pointer.
 */
function useFocusOnDetail(): void {
  const { path } = useLocation();
  useLayoutEffect(() => {
    const onClick = ({ detail, target }: MouseEvent) => {
      const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a.row, a.row-link, .detail a') : null;
      isOpening = detail === 0 && link !== null;
      if (link?.pathname === location.pathname) {
        focusOpenedDetail();
      }
    };
    addEventListener('click', onClick, true);
    return () => removeEventListener('click', onClick, true);
  }, []);
  useLayoutEffect(focusOpenedDetail, [path]);
}

/** Returns whether the key was handled. */
function handleKey(key: string, route: (path: string) => void): boolean {
  switch (key) {
    case 'j':
      return moveRow(1, route);
    case 'k':
      return moveRow(-1, route);
    case '/':
      document.getElementById('search')?.focus();
      return true;
    case 'f':
      document.getElementById('follow')?.click();
      return true;
    case '?':
      openOverlay('keys');
      return true;
    default:
      return false;
  }
}

/** Moves to the next or previous row, and opens it if a detail is open. */
function moveRow(by: 1 | -1, route: (path: string) => void): boolean {
  const rows = [...document.querySelectorAll<HTMLAnchorElement>('a.row, a.row-link')];
  const focusedIndex = rows.indexOf(document.activeElement as HTMLAnchorElement);
  const shownIndex = rows.findIndex((row) => row.getAttribute('aria-current') === 'true');
  const from = focusedIndex === -1 ? shownIndex : focusedIndex;
  const row = rows[Math.min(rows.length - 1, Math.max(0, from + by))];
  row?.focus();
  row?.scrollIntoView({ block: 'nearest' });
  if (row && document.querySelector('.split.open')) {
    route(row.pathname);
  }
  return row !== undefined;
}

function handleEscape(target: EventTarget | null, route: (path: string) => void): void {
  if (isTyping(target)) {
    (target as HTMLElement).blur();
    return;
  }
  // Read from the address, because a key may be pressed before the effects of the new page have run.
  const { pathname } = location;
  const list = pathOf(screenOf(pathname) as Screen);
  if (pathname !== list && document.querySelector('.split.open')) {
    const shown = document.querySelector<HTMLElement>('a.row[aria-current=true]');
    route(list);
    shown?.focus();
  }
}
