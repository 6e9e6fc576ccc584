import { Icon } from '../components/icon.tsx';
import { Menu } from '../components/menu.tsx';
import { dayAndTime, type Zone, zoneName } from '../format.ts';
import { zone } from '../preferences.ts';
import { clock, now } from '../session-facts.ts';
import { clockActions, nextJobLabel, STEPS } from './clock-actions.ts';
import { ClockQuestion } from './clock-dialogs.tsx';
import { ClockEffects } from './clock-effects.tsx';
import { advanceClock, askAboutClock, isMoving, lastMove, moveClock, moveToNextJob } from './move-clock.ts';
import { describeNextJob } from './next-job.ts';

function NextJobButton({ due }: { due: string }) {
  const { recordKind, reference, effect } = describeNextJob();
  return (
    <button type="button" class="button next" disabled={isMoving.value} onClick={moveToNextJob}>
      <Icon name="next" />
      <span class="short" aria-hidden="true">
        Skip
      </span>
      <span>
        {nextJobLabel(due)}
        <em>
          : {recordKind} <bdi>{reference}</bdi> {effect}
        </em>
      </span>
    </button>
  );
}

const ZONES: readonly { zone: Zone; label: string; detail: string }[] = [
  { zone: 'utc', label: 'UTC', detail: 'As in the control API and logs' },
  { zone: 'own', label: "This browser's time", detail: "As on your machine's clock" },
];

function ZonePicker() {
  return (
    <Menu
      name="Time zone"
      className="clock-zone"
      button={
        <>
          <span class="visually-hidden">Times in </span>
          {zoneName(now.value, zone.value)}
        </>
      }
      choices={ZONES.map(({ zone: each, label, detail }) => ({
        key: each,
        label: each === 'utc' ? label : `${label}: ${zoneName(now.value, each)}`,
        detail,
        isChosen: each === zone.value,
        run: () => {
          zone.value = each;
        },
      }))}
    />
  );
}

export function Clock() {
  const view = clock.value;
  if (view === undefined) {
    return <div class="clock" />;
  }
  const isFrozen = view.mode === 'frozen';
  const { day, time } = dayAndTime(now.value, zone.value);
  return (
    <section class="clock" aria-label="Clock" aria-busy={isMoving.value}>
      <button
        type="button"
        class="clock-mode"
        title={isFrozen ? 'Run the clock' : 'Freeze the clock'}
        onClick={() => (isFrozen ? askAboutClock('run') : moveClock('PUT', 'clock', { mode: 'frozen' }))}
      >
        <Icon name={isFrozen ? 'frozen' : 'clock'} />
        <span>{isFrozen ? 'Clock frozen' : 'Clock runs'}</span>
      </button>
      <p class="clock-now" data-testid="clock-now">
        <span class="clock-day">{day}</span> <span class="clock-time">{time}</span>
      </p>
      <ZonePicker />
      <div class="clock-moves">
        <div class="steps">
          {STEPS.map(([label, by, words]) => (
            <button
              type="button"
              key={by}
              class="button"
              title={`Advance by ${words}`}
              disabled={isMoving.value}
              onClick={() => advanceClock(by)}
            >
              {label}
            </button>
          ))}
        </div>
        <Menu
          name="More about the clock"
          className="button square"
          button={
            <>
              <Icon name="chevron" label="More about the clock" />
              <span class="short" aria-hidden="true">
                Clock
              </span>
            </>
          }
          choices={clockActions()}
        />
        {/* Last, because its width changes, and the buttons must stay under the pointer. */}
        {view.nextDue === null ? <span class="clock-idle">Nothing is due</span> : <NextJobButton due={view.nextDue} />}
      </div>
      <ClockQuestion />
      {lastMove.value && (lastMove.value.happened?.length ?? 0) > 0 ? (
        <ClockEffects view={lastMove.value} onClose={() => (lastMove.value = undefined)} />
      ) : null}
    </section>
  );
}
