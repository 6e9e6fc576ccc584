import type { ComponentChildren } from 'preact';
import { Field } from './payer-page.tsx';
import { WORDS } from './words.ts';

/** A field for a one-time code; `children` tell the payer where to find it. */
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
    <Field
      class="code"
      id="oneTimeCode"
      label={WORDS.oneTimeCode}
      autocomplete="one-time-code"
      inputMode="numeric"
      maxLength={maxLength}
      aria-invalid={isWrong ? true : undefined}
      data-testid="one-time-code"
      hint={children}
    />
  );
}
