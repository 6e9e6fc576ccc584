import type { JSX } from 'preact';

interface SelectFieldProps extends JSX.HTMLAttributes<HTMLSelectElement> {
  label: string;
  labelClass?: string;
  name?: string;
  value: string;
  options: readonly (readonly [value: string, words: string])[];
}

export const ENVIRONMENTS = [
  ['sandbox', 'sandbox'],
  ['production', 'production'],
] as const;

export function SelectField({ label, labelClass = '', options, ...select }: SelectFieldProps) {
  return (
    <label class={labelClass}>
      {label}{' '}
      <select {...select}>
        {options.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}
