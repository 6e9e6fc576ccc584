import { useState } from 'preact/hooks';
import type { ExaminationStart, ExaminationView } from '../../../base/schema/control.ts';
import { ask } from '../../api.ts';
import { Icon } from '../../components/icon.tsx';
import { attempt } from '../../toasts.ts';

/** Until when combinations of situations are tried. */
const BUDGETS = [
  ['PT0S', 'none, each situation alone'],
  ['PT1M', 'for one minute'],
  ['PT5M', 'for five minutes'],
  ['PT30M', 'for half an hour'],
] as const;

/** Starts and stops it. */
export function Controls({ view: { state }, lookAgain }: { view: ExaminationView; lookAgain(): void }) {
  const [facts, setFacts] = useState({ only: '', budget: 'PT1M', seed: '1' });
  const [isAsked, setAsked] = useState(false);
  const isRunning = state === 'running';
  const field = (name: keyof typeof facts) => ({
    value: facts[name],
    disabled: isRunning,
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLSelectElement }) =>
      setFacts({ ...facts, [name]: currentTarget.value }),
  });
  const change = async (method: 'POST' | 'DELETE', body?: ExaminationStart) => {
    setAsked(true);
    await attempt(() => ask(method, 'examination', { body }));
    setAsked(false);
    lookAgain();
  };
  const run = (event: Event) => {
    event.preventDefault();
    const only = facts.only.split(/[\s,]+/).filter((word) => word !== '');
    void change('POST', { only, budget: facts.budget, seed: Number(facts.seed) });
  };
  return (
    <form class="form in-line" onSubmit={run}>
      <label>
        Only
        <input placeholder="all, or such as I2, notified-twice, mobile-money" {...field('only')} />
      </label>
      <label>
        Combinations
        <select {...field('budget')}>
          {BUDGETS.map(([budget, words]) => (
            <option key={budget} value={budget}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <label>
        Seed
        <input required inputMode="numeric" pattern="\d{1,15}" {...field('seed')} />
      </label>
      {isRunning ? (
        <button type="button" class="button" disabled={isAsked} onClick={() => change('DELETE')}>
          <Icon name="stop" />
          {isAsked ? 'Stopping…' : 'Stop'}
        </button>
      ) : (
        <button type="submit" class="button primary" disabled={isAsked}>
          <Icon name="next" />
          Run
        </button>
      )}
    </form>
  );
}
