import type { ComponentChildren } from 'preact';
import { formatLocal } from '../../../base/time.ts';
import type { Session } from '../../sessions/session.ts';
import { FlowIcon, type FlowPicture, Icon } from './picture.tsx';
import { WORDS } from './words.ts';

/** A simulated phone with one app open; at the width of a real phone, only the app. */
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

/** The session's time, in the merchant's time zone. */
function Clock({ session: { clock, fixtures } }: { session: Session }) {
  const [day, time = ''] = formatLocal(clock.now(), fixtures.times.localOffset).split(' ');
  return (
    <time
      title={`UTC${fixtures.times.localOffset}`}
      data-clock={`${day}T${time}Z`}
      data-running={String(clock.state.mode === 'real')}
    >
      {time.slice(0, 5)}
    </time>
  );
}

/** The time of a message with its time zone, because the console may show another one. */
export function timeOfDay({ fixtures: { times } }: Session, instant: number): string {
  return `${formatLocal(instant, times.localOffset).slice(11, 16)} (UTC${times.localOffset})`;
}
