/** Line drawings on a canvas of 16 by 16. */
const PATHS = {
  payments: 'M1.75 4.5h12.5v7.75H1.75zM1.75 7h12.5M4.25 9.9h2.5',
  shop: 'M2 6.25 3.25 2.5h9.5L14 6.25M2 6.25a2 2 0 0 0 4 0 2 2 0 0 0 4 0 2 2 0 0 0 4 0M3 9v4.5h10V9M6.5 13.5v-3h3v3',
  bank: 'M2 6.25 8 2.5l6 3.75zM4 6.25v5M8 6.25v5M12 6.25v5M2 13.5h12M3 11.25h10',
  sandbox: 'M2 5l6-3 6 3v6l-6 3-6-3zM2 5l6 3 6-3M8 8v6',
  payer: 'M8 7.75a2.9 2.9 0 1 0 0-5.8 2.9 2.9 0 0 0 0 5.8M2.5 14c.4-2.9 2.6-4.1 5.5-4.1s5.1 1.2 5.5 4.1',
  integration: 'M3 1.75h10v12.5H3zM5.25 5.25l1 1 1.75-2M10 5h1M5.25 10l1 1L8 9M10 9.75h1',
  overview: 'M1.75 14h12.5M3 11.5V8.25h2v3.25zM7 11.5V2.5h2v9zM11 11.5V5.5h2v6z',
  catch: 'M2 8.5h3.25L6.5 10.5h3l1.25-2H14M2 8.5V13.5h12V8.5M8 1.75v5M5.75 4.75 8 7l2.25-2.25',
  ledger:
    'M13 13.5H4.75A1.75 1.75 0 0 1 3 11.75V4a1.5 1.5 0 0 1 1.5-1.5H13zM13 10H4.75A1.75 1.75 0 0 0 3 11.75M6 5.5h4',
  request: 'M2 8h8M6.75 4.75 10 8l-3.25 3.25M13.5 2.5v11',
  traffic: 'M2 5.25h11M10.25 2.5 13 5.25 10.25 8M14 10.75H3M5.75 8 3 10.75l2.75 2.75',
  deliveries: 'M14 2 7.2 8.8M14 2 9.8 14 7.2 8.8 2 6.2z',
  events: 'M1.5 8.25h3L6.5 3l3 10 2-4.75h3',
  scenarios: 'M4 2v12M4 9.5c5.5 0 8-1.2 8-4M12 5.25a1.6 1.6 0 1 0 0-3.2 1.6 1.6 0 0 0 0 3.2',
  sessions: 'M8 1.75 14.25 5 8 8.25 1.75 5zM1.75 8 8 11.25 14.25 8M1.75 11 8 14.25 14.25 11',
  commands: 'M2.25 2.75h11.5v10.5H2.25zM4.75 6l2.25 2-2.25 2M8.5 10.25h2.75',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10M10.6 10.6 14 14',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  check: 'M3 8.5 6.5 12 13 4.5',
  cross: 'm4 4 8 8M12 4l-8 8',
  more: 'M3 8h.01M8 8h.01M13 8h.01',
  chevron: 'm4.5 6.25 3.5 3.5 3.5-3.5',
  down: 'M8 2v8M4.75 7 8 10.25 11.25 7M2.5 13.5h11',
  up: 'M8 10.25V2.25M4.75 5.25 8 2l3.25 3.25M2.5 13.5h11',
  out: 'M9 2.75h4.25V7M13 3 7.5 8.5M11.5 9v4.25h-8.75V4.5H7',
  light:
    'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6M8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3.05 3.05l1.06 1.06M11.9 11.9l1.05 1.05M3.05 12.95l1.06-1.06M11.9 4.1l1.05-1.05',
  dark: 'M13.5 9.6A6 6 0 0 1 6.4 2.5a6 6 0 1 0 7.1 7.1z',
  auto: 'M1.5 12.5h13M4.25 12.5a3.75 3.75 0 0 1 7.5 0M8 3.5v2.25M2.4 6.9 4 8.5M13.6 6.9 12 8.5',
  room: 'M2 2.75h12v8H2zM8 10.75v2.75M5 13.5h6',
  keyboard: 'M1.5 4h13v8h-13zM4 6.5h.01M6.5 6.5h.01M9 6.5h.01M11.5 6.5h.01M5 9.5h6',
  docs: 'M3.5 1.75h6.25l2.75 2.75v9.75h-9zM9.5 2v3h3M5.75 8h4.5M5.75 10.75h4.5',
  reference:
    'M6 2.5c-1.5 0-2 .7-2 2v1.75C4 7.25 3.5 8 2.5 8c1 0 1.5.75 1.5 1.75v1.75c0 1.3.5 2 2 2M10 2.5c1.5 0 2 .7 2 2v1.75c0 1 .5 1.75 1.5 1.75-1 0-1.5.75-1.5 1.75v1.75c0 1.3-.5 2-2 2',
  clock: 'M8 14.25A6.25 6.25 0 1 0 8 1.75a6.25 6.25 0 0 0 0 12.5M8 4.75V8l2.25 1.75',
  frozen: 'M8 1.5v13M2.4 4.75l11.2 6.5M13.6 4.75 2.4 11.25M6.25 2.6 8 4.1l1.75-1.5M6.25 13.4 8 11.9l1.75 1.5',
  next: 'M3 3.5 9.25 8 3 12.5zM12.5 3.5v9',
  stop: 'M4 4h8v8H4z',
  again: 'M13.5 8a5.5 5.5 0 1 1-1.6-3.9L13.5 5.7M13.5 2v3.7H9.8',
  fork: 'M1.5 8H5l4-4.5h5M11.25 1 14 3.5 11.25 6M5 8l4 4.5h5M11.25 10 14 12.5 11.25 15',
  send: 'M2 8h11M8.75 3.75 13 8l-4.25 4.25',
  trash: 'M2.75 4.25h10.5M6 4V2.25h4V4M4 4.25l.6 9.5h6.8l.6-9.5',
  plus: 'M8 3v10M3 8h10',
  eye: 'M1.25 8S3.5 3.5 8 3.5 14.75 8 14.75 8 12.5 12.5 8 12.5 1.25 8 1.25 8M8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4',
  warning: 'M8 2.25 14.5 13.5h-13zM8 6.5v3.25M8 11.6v.01',
  shield: 'M8 1.75 13.25 3.5v4.25c0 3.25-2.1 5.4-5.25 6.5-3.15-1.1-5.25-3.25-5.25-6.5V3.5z',
} as const;

export type IconName = keyof typeof PATHS;

/** Without a text next to it, an icon needs a label for screen readers. */
export function Icon({ name, label }: { name: IconName; label?: string }) {
  return (
    <>
      <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
        <path d={PATHS[name]} />
      </svg>
      {label === undefined ? null : <span class="visually-hidden">{label}</span>}
    </>
  );
}

/** The console's logo: a coin in a sandbox. */
export function Logo() {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="9" fill="#4f46e5" />
      <circle cx="16" cy="12.5" r="6.5" fill="#fff" />
      <path d="M4 20.5c4-3.6 8-3.6 12 0s8 3.6 12 0V23a5 5 0 0 1-5 5H9a5 5 0 0 1-5-5z" fill="#f5c16c" />
    </svg>
  );
}
