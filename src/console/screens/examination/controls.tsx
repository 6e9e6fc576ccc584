import { useState } from 'preact/hooks';
import type { ExaminationStart, ExaminationView } from '../../../base/schema/generated/control.ts';
import { ask } from '../../api.ts';
import { Icon } from '../../components/icon.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { channelName, channelsInOrder } from '../../record/channel-names.ts';
import { channels } from '../../session-facts.ts';
import { attempt } from '../../toasts.ts';

/** Time limits for trying combinations of situations. */
const BUDGETS = [
  ['PT0S', 'none, each situation alone'],
  ['PT1M', 'for one minute'],
  ['PT5M', 'for five minutes'],
  ['PT30M', 'for half an hour'],
] as const;

export function Controls({ view: { state }, refetch }: { view: ExaminationView; refetch(): void }) {
  const [fields, setFields] = useState({ amount: '', only: '', budget: 'PT1M', seed: '1' });
  const [excluded, setExcluded] = useState<readonly string[]>([]);
  const [isPending, setPending] = useState(false);
  const isRunning = state === 'running';
  const ids = channelsInOrder(channels.value.map(({ id }) => id));
  const field = (name: keyof typeof fields) => ({
    value: fields[name],
    disabled: isRunning,
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLSelectElement }) =>
      setFields({ ...fields, [name]: currentTarget.value }),
  });
  const change = async (method: 'POST' | 'DELETE', body?: ExaminationStart) => {
    setPending(true);
    await attempt(() => ask(method, 'examination', { body }));
    setPending(false);
    refetch();
  };
  const run = (event: Event) => {
    event.preventDefault();
    const named = fields.only.split(/[\s,]+/).filter((word) => word !== '');
    const chosen = excluded.length === 0 ? [] : ids.filter((id) => !excluded.includes(id));
    void change('POST', {
      only: [...named, ...chosen],
      ...(fields.amount === '' ? {} : { amount: fields.amount }),
      budget: fields.budget,
      seed: Number(fields.seed),
    });
  };
  return (
    <form class="form in-line" onSubmit={run}>
      <fieldset class="checks" disabled={isRunning}>
        <legend>Channels</legend>
        {ids.map((id) => (
          <label key={id}>
            <input
              type="checkbox"
              checked={!excluded.includes(id)}
              // The last one stays, because an examination without a channel examines nothing.
              disabled={excluded.length === ids.length - 1 && !excluded.includes(id)}
              onChange={() =>
                setExcluded(excluded.includes(id) ? excluded.filter((each) => each !== id) : [...excluded, id])
              }
            />
            {channelName(id)}
          </label>
        ))}
      </fieldset>
      <label>
        Amount of each order
        <input
          inputMode="decimal"
          autocomplete="off"
          pattern="(?!0+\.00$)(0|[1-9]\d{0,8})\.\d\d"
          title="An amount with two decimals, such as 10.00"
          placeholder="random"
          {...field('amount')}
        />
      </label>
      <label>
        Only
        <input placeholder="all, or such as I2, notified-twice" {...field('only')} />
      </label>
      <SelectField label="Combinations" options={BUDGETS} {...field('budget')} />
      <label>
        Seed (the same one repeats a run)
        <input required inputMode="numeric" pattern="\d{1,15}" {...field('seed')} />
      </label>
      {isRunning ? (
        <button type="button" class="button" disabled={isPending} onClick={() => change('DELETE')}>
          <Icon name="stop" />
          {isPending ? 'Stopping…' : 'Stop'}
        </button>
      ) : (
        <button type="submit" class="button primary" disabled={isPending}>
          <Icon name="next" />
          Run
        </button>
      )}
    </form>
  );
}
