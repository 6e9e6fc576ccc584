import { Icon } from '../components/icon.tsx';
import { Clock } from './clock.tsx';
import { overlay } from './keys.tsx';
import { Appearance } from './navigation.tsx';

/** The clock, always in view. */
export function TopBar() {
  return (
    <header class="top">
      <Clock />
      <div class="tools">
        <button
          type="button"
          class="bare"
          aria-label="Commands"
          title="Commands (Ctrl K)"
          onClick={() => {
            overlay.value = 'palette';
          }}
        >
          <Icon name="search" />
        </button>
        <button
          type="button"
          class="bare wide-only"
          aria-label="Keys"
          title="Keys (?)"
          onClick={() => {
            overlay.value = 'keys';
          }}
        >
          <Icon name="keyboard" />
        </button>
        <Appearance />
      </div>
    </header>
  );
}
