import { Icon } from '../components/icon.tsx';
import { Shape } from '../components/state.tsx';
import { dismiss, toasts } from '../toasts.ts';

export function Toasts() {
  return (
    <div class="toasts" role="status">
      {toasts.value.map(({ key, tone, text, action }) => (
        <div key={key} class={`toast ${tone}`} data-testid="toast">
          <Shape tone={tone} />
          <p>{text}</p>
          {action ? (
            <button
              type="button"
              class="button"
              onClick={() => {
                dismiss(key);
                action.run();
              }}
            >
              {action.label}
            </button>
          ) : null}
          <button type="button" class="bare" aria-label="Dismiss" onClick={() => dismiss(key)}>
            <Icon name="cross" />
          </button>
        </div>
      ))}
    </div>
  );
}
