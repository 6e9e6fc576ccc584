import type { ComponentChildren } from 'preact';
import { inWords } from '../../base/text/words.ts';

/** The shape of each tone; its colour is in tones.css. No two states of a payment have the same tone. */
const SHAPES = {
  good: (
    <path d="M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13m3.3 4.9-4 4.4a.8.8 0 0 1-1.1 0L4.4 9l1.1-1.1 1.2 1.2 3.4-3.8z" />
  ),
  bad: (
    <path d="M5.3 1.5h5.4l3.8 3.8v5.4l-3.8 3.8H5.3l-3.8-3.8V5.3zm.6 3.3L4.8 5.9 6.9 8l-2.1 2.1 1.1 1.1L8 9.1l2.1 2.1 1.1-1.1L9.1 8l2.1-2.1-1.1-1.1L8 6.9z" />
  ),
  wait: (
    <path d="M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13m0 1.6a4.9 4.9 0 1 1 0 9.8 4.9 4.9 0 0 1 0-9.8m0 1.4v3.5l3 1.8A3.5 3.5 0 0 0 8 4.5" />
  ),
  none: <path d="M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13m-3.2 5.7h6.4v1.6H4.8z" />,
  late: <path d="M4 1.5h8v2.6L9.3 8l2.7 3.9v2.6H4v-2.6L6.7 8 4 4.1zm1.9 1.7L8 6.4l2.1-3.2z" />,
  partial: <path d="M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13m0 1.6a4.9 4.9 0 0 1 0 9.8z" />,
  refunded: (
    <path d="M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M3.6 8l3.8-3.8 1.2 1.2-1.8 1.7h5.4v1.8H6.8l1.8 1.7-1.2 1.2z" />
  ),
  reversed: (
    <path d="M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M3 8l3.6-3.6 1.2 1.2L5.4 8l2.4 2.4-1.2 1.2zm4.2 0 3.6-3.6L12 5.6 9.6 8l2.4 2.4-1.2 1.2z" />
  ),
  returned: (
    <path d="M5.3 1.5h5.4l3.8 3.8v5.4l-3.8 3.8H5.3l-3.8-3.8V5.3zM6.6 3.9 4 6.5l2.6 2.6V7.3h2.6a1.4 1.4 0 0 1 0 2.8H6.4v1.6h2.8a3 3 0 0 0 0-6H6.6z" />
  ),
  'charged-back': (
    <path d="M5.3 1.5h5.4l3.8 3.8v5.4l-3.8 3.8H5.3l-3.8-3.8V5.3zM8 3.2 3.8 6.2h8.4zM4.6 7v3.1h1.3V7zM7.35 7v3.1h1.3V7zM10.1 7v3.1h1.3V7zM4 10.9v1.3h8v-1.3z" />
  ),
  active: (
    <path d="M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13m0 1.6a4.9 4.9 0 1 1 0 9.8 4.9 4.9 0 0 1 0-9.8m0 2.1a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6" />
  ),
} as const;

export type Tone = keyof typeof SHAPES;

/** The tones of states. A word that is not a state, such as the name of a merchant, must not look like one. */
export const TONES: Readonly<Record<string, Tone>> = {
  Paid: 'good',
  Active: 'active',
  Open: 'wait',
  InTransit: 'wait',
  CarriedOver: 'wait',
  Invoiced: 'wait',
  delivered: 'good',
  Completed: 'good',
  Failed: 'bad',
  failed: 'bad',
  Processing: 'wait',
  pending: 'wait',
  Cancelled: 'none',
  dropped: 'none',
  'Not active': 'none',
  held: 'late',
  halted: 'bad',
  paused: 'late',
  off: 'bad',
  Expired: 'late',
  PartlyPaid: 'partial',
  Returned: 'returned',
  Refunded: 'refunded',
  Reversed: 'reversed',
  ChargedBack: 'charged-back',
};

export function toneOf(state: string): Tone {
  return TONES[state] ?? 'none';
}

export function toneOfStatus(status: number | null): Tone {
  return status === null ? 'late' : status < 400 ? 'good' : 'bad';
}

export function Shape({ tone }: { tone: Tone }) {
  return (
    <svg class={`shape ${tone}`} viewBox="0 0 16 16" aria-hidden="true">
      {SHAPES[tone]}
    </svg>
  );
}

/** A state without its shape, which is at the start of the row. */
export function StateWord({ state, children }: { state: string; children?: ComponentChildren }) {
  return (
    <span class={`row-state ${toneOf(state)}`}>
      {inWords(state)}
      {children}
    </span>
  );
}

export function State({ state, tone = toneOf(state) }: { state: string; tone?: Tone }) {
  return (
    <span class={`state ${tone}`}>
      <Shape tone={tone} />
      {inWords(state)}
    </span>
  );
}
