import { Icon } from '../components/icon.tsx';
import { isPresentationMode } from '../preferences.ts';
import { Clock } from './clock.tsx';
import { openOverlay } from './keys.tsx';
import { Appearance, Pickers } from './navigation.tsx';

export function TopBar() {
  return (
    <header class="top">
      {/* In presentation mode, the navigation has no space for texts. */}
      {isPresentationMode.value ? <Pickers /> : null}
      <Clock />
      <div class="tools">
        <button
          type="button"
          class="bare"
          title="Find actions, records and screens (Ctrl K)"
          onClick={() => openOverlay('palette')}
        >
          <Icon name="commands" />
          <span class="tool-label">Commands</span>
        </button>
        <button type="button" class="bare wide-only" title="Keyboard shortcuts (?)" onClick={() => openOverlay('keys')}>
          <Icon name="keyboard" />
          <span class="tool-label">Shortcuts</span>
        </button>
        <Appearance />
      </div>
    </header>
  );
}
