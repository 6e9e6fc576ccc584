/** SVG paths of lines in a square of 16 by 16. */
const ICONS = {
  clock: 'M8 14.25A6.25 6.25 0 1 0 8 1.75a6.25 6.25 0 0 0 0 12.5M8 4.75V8l2.25 1.75',
  lock: 'M3.5 7.25h9v6.5h-9zM5.5 7.25V5a2.5 2.5 0 0 1 5 0v2.25',
  warning: 'M8 2.25 14.5 13.5h-13zM8 6.5v3.25M8 11.6v.01',
  check: 'M3 8.5 6.5 12 13 4.5',
  cross: 'm4 4 8 8M12 4l-8 8',
  back: 'M3 6h6.25a3.5 3.5 0 0 1 0 7H5M3 6l3-3M3 6l3 3',
  message: 'M2 2.75h12v8.5H7.5L4.25 14v-2.75H2z',
  delete: 'M5.5 3.5h9v9h-9L1.5 8zM8 6.25 11.5 9.75M11.5 6.25 8 9.75',
  signal: 'M2.5 13v-2M6 13V8.5M9.5 13V6M13 13V3',
  battery: 'M1.5 5h11.25v6H1.5zM14.5 7v2M3.75 7.25v1.5M6 7.25v1.5M8.25 7.25v1.5M10.5 7.25v1.5',
} as const;

type PageIconName = keyof typeof ICONS;

/** An icon beside a text, and therefore hidden from screen readers. */
export function Icon({ name }: { name: PageIconName }) {
  return <Lines name={name} path={ICONS[name]} />;
}

export interface FlowPicture {
  name: string;
  icon: string;
}

export function FlowIcon({ flow }: { flow: FlowPicture }) {
  return <Lines name={flow.name} path={flow.icon} />;
}

function Lines({ name, path }: { name: string; path: string }) {
  return (
    <svg class={`icon ${name}`} viewBox="0 0 16 16" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}

/** The sandbox's own mark: a coin in a sandbox. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="9" fill="#4f46e5" />
      <circle cx="16" cy="12.5" r="6.5" fill="#fff" />
      <path d="M4 20.5c4-3.6 8-3.6 12 0s8 3.6 12 0V23a5 5 0 0 1-5 5H9a5 5 0 0 1-5-5z" fill="#f5c16c" />
    </svg>
  );
}

/** The mark of the simulated bank: a house with columns. */
export function BankMark() {
  return (
    <svg class="bank-mark" viewBox="0 0 32 32" aria-hidden="true">
      <path d="M16 3.5 29 11v2.5H3V11zM6.5 16h3.75v8.5H6.5zm7.6 0h3.8v8.5h-3.8zm7.65 0h3.75v8.5h-3.75zM3.5 26.5h25V29h-25z" />
    </svg>
  );
}

/** SVG paths for the outcome of a payment, inside a disc in a square of 120 by 120. */
const OUTCOMES = {
  good: 'M41 61.5 54.5 75 80 47',
  bad: 'm45 45 30 30M75 45 45 75',
  none: 'M45 51h21.5a12.75 12.75 0 1 1 0 25.5H50M45 51l10-10M45 51l10 10',
  late: 'M47 38h26M47 82h26M50 38v7c0 8 10 10.5 10 15s-10 7-10 15v7M70 38v7c0 8-10 10.5-10 15s10 7 10 15v7',
} as const;

export type OutcomeTone = keyof typeof OUTCOMES;

export function OutcomePicture({ tone }: { tone: OutcomeTone }) {
  return (
    <svg class={`outcome-picture ${tone}`} viewBox="0 0 120 120" aria-hidden="true">
      <circle class="halo" cx="60" cy="60" r="58" />
      <circle class="disc" cx="60" cy="60" r="45" />
      <path pathLength="1" d={OUTCOMES[tone]} />
    </svg>
  );
}
