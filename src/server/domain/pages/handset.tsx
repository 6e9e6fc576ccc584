import type { ComponentChildren } from 'preact';
import { formatUtc } from '../../../base/time.ts';
import type { Session } from '../../sessions/session.ts';
import { FlowIcon, type FlowPicture, Icon } from './picture.tsx';
import { WORDS } from './words.ts';

/** A simulated phone with one app open. A real phone shows it without the frame. */
export function Handset({
  session,
  app,
  flow,
  heading,
  children,
}: {
  session: Session;
  app: string;
  flow: FlowPicture;
  /** Shown next to the app's name. */
  heading?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <div class="handset">
      <div class="status-bar">
        <Clock session={session} />
        <span class="notch" />
        <Icon name="signal" />
        <Icon name="battery" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it must be scrollable by keyboard */}
      <section class="screen" id="screen" aria-label={WORDS.screen} tabIndex={0}>
        <div class="app">
          <span class="app-icon">
            <FlowIcon flow={flow} />
          </span>
          <p>{app}</p>
          {heading}
        </div>
        {children}
      </section>
    </div>
  );
}

function Clock({ session: { clock } }: { session: Session }) {
  const now = clock.now();
  return (
    <time data-clock={formatUtc(now)} data-running={String(clock.state.mode === 'real')}>
      {timeOfDay(now)}
    </time>
  );
}

/** The time of the clock or of a message; payer.js updates that of the clock. */
export function timeOfDay(instant: number): string {
  return `${formatUtc(instant).slice(11, 16)} UTC`;
}
