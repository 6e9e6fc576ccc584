import { useState } from 'preact/hooks';
import { Dialog } from '../components/dialog.tsx';
import { Shape } from '../components/state.tsx';
import { dayAndTime, fromFieldValue, momentParts, toFieldValue, zoneName } from '../format.ts';
import { zone } from '../preferences.ts';
import { clock, now } from '../session-facts.ts';
import { clockQuestion, moveClock, moveTo } from './move-clock.ts';
import type { NextJob } from './next-job.ts';

function MomentDialog({ onClose }: { onClose(): void }) {
  const [moment, setMoment] = useState(toFieldValue(now.value, zone.value));
  const isFrozen = clock.value?.mode === 'frozen';
  return (
    <Dialog title="Move the clock to a time" onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          onClose();
          void moveTo(fromFieldValue(moment, zone.value));
        }}
      >
        <label>
          Time, in {zoneName(now.value, zone.value)}
          <input
            type="datetime-local"
            step="1"
            required
            value={moment}
            onInput={({ currentTarget }) => setMoment(currentTarget.value)}
          />
        </label>
        {isFrozen ? null : (
          <p class="hint">
            <Shape tone="wait" /> A running clock can only move forward.
          </p>
        )}
        <button type="submit" class="button primary">
          Move the clock
        </button>
      </form>
    </Dialog>
  );
}

function RunDialog({ onClose }: { onClose(): void }) {
  const { day, time } = dayAndTime(Date.now(), zone.value);
  const run = () => {
    onClose();
    void moveClock('PUT', 'clock', { mode: 'real' });
  };
  return (
    <Dialog title="Run the clock?" onClose={onClose}>
      <p>
        It moves to the machine's time, {day} {time} {zoneName(Date.now(), zone.value)}. Everything that is due by then
        happens at once.
      </p>
      <div class="button-row">
        <button type="button" class="button primary" onClick={run}>
          Run the clock
        </button>
        <button type="button" class="button" onClick={onClose}>
          Keep it frozen
        </button>
      </div>
    </Dialog>
  );
}

interface ExpiryDialogProps {
  due: string;
  job: NextJob;
  onClose(): void;
}

/** Asks before a payment expires, because its payer can then no longer decide it. */
function ExpiryDialog({ due, job: { recordKind, reference, effect }, onClose }: ExpiryDialogProps) {
  const moment = momentParts(due, now.value, zone.value).join(' ');
  return (
    <Dialog title={`Advance to ${moment}?`} onClose={onClose}>
      <p>
        The {recordKind} <bdi>{reference}</bdi> is still waiting for its payer. It {effect} at that time.
      </p>
      <div class="button-row">
        <button
          type="button"
          class="button primary"
          onClick={() => {
            onClose();
            void moveTo(due);
          }}
        >
          Advance
        </button>
        <button type="button" class="button" onClick={onClose}>
          Keep waiting
        </button>
      </div>
    </Dialog>
  );
}

export function ClockQuestion() {
  const question = clockQuestion.value;
  const close = () => {
    // The browser reports the end of a dialog late, when another one may be open.
    if (clockQuestion.value === question) {
      clockQuestion.value = undefined;
    }
  };
  switch (question?.about) {
    case 'moment':
      return <MomentDialog onClose={close} />;
    case 'run':
      return <RunDialog onClose={close} />;
    case 'next':
      return <ExpiryDialog due={question.due} job={question.job} onClose={close} />;
    default:
      return null;
  }
}
