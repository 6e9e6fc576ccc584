import type { ComponentChildren } from 'preact';
import { WORDS } from './words.ts';

/** Takes a one-time code; `children` say where it is to be found. */
export function CodeField({
  isWrong,
  maxLength,
  children,
}: {
  isWrong: boolean;
  maxLength: number;
  children: ComponentChildren;
}) {
  return (
    <div class="field">
      <label for="oneTimeCode">{WORDS.oneTimeCode}</label>
      <input
        class="code"
        id="oneTimeCode"
        name="oneTimeCode"
        autocomplete="one-time-code"
        inputMode="numeric"
        maxLength={maxLength}
        required
        aria-invalid={isWrong ? true : undefined}
        aria-describedby="oneTimeCode-hint"
        data-testid="one-time-code"
      />
      <p class="hint" id="oneTimeCode-hint">
        {children}
      </p>
    </div>
  );
}
