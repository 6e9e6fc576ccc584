import type { OutcomeChoice } from '../../base/schema/control.ts';
import { ask } from '../api.ts';
import { Icon } from '../components/icon.tsx';
import { Menu } from '../components/menu.tsx';
import { Shape, toneOf } from '../components/state.tsx';
import { scenarios } from '../facts.ts';
import { isolated } from '../format.ts';
import { attempt, say } from '../toasts.ts';

interface SettleProps {
  /** Below the control API. */
  path: string;
  name: string;
  /** undefined for what has none, as payouts. */
  channel: string | undefined;
  outcomes: readonly OutcomeChoice['outcome'][];
}

/** Decides what is still open, as its payer or nobody would; with the codes that the channel has. */
export function Settle({ path, name, channel, outcomes }: SettleProps) {
  const settle = (choice: OutcomeChoice) =>
    attempt(async () => {
      await ask('POST', `${path}/settle`, { body: choice });
      say(`${isolated(name)}: ${choice.outcome}.`);
    });
  const failures = channel === undefined ? [] : failuresOn(channel);
  return (
    <fieldset class="settle" aria-label="Settle it">
      {outcomes.map((outcome) => (
        <button
          type="button"
          key={outcome}
          class="button"
          onClick={() => settle({ outcome })}
          data-testid={`settle-${outcome}`}
        >
          <Shape tone={toneOf(outcome)} />
          {outcome}
        </button>
      ))}
      {failures.length === 0 ? null : (
        <Menu
          name="Fail with a code"
          button={
            <>
              Fail with a code <Icon name="chevron" />
            </>
          }
          choices={failures.map((failure) => ({
            key: `${failure.code} ${failure.description}`,
            label: `${failure.code}  ${failure.description ?? ''}`,
            run: () => void settle(failure),
          }))}
        />
      )}
    </fieldset>
  );
}

/** How scenarios let a payment on this channel fail: each with the channel's own code. */
function failuresOn(channel: string): OutcomeChoice[] {
  const found = new Map<string, OutcomeChoice>();
  for (const { rules } of scenarios.value) {
    const rule = rules.find(({ when, settle }) => settle?.outcome === 'Failed' && isFor(when?.channel, channel));
    const { code, description } = rule?.settle ?? {};
    if (code !== undefined && !found.has(`${code} ${description}`)) {
      found.set(`${code} ${description}`, {
        outcome: 'Failed',
        code,
        ...(description === undefined ? {} : { description }),
      });
    }
  }
  return [...found.values()];
}

function isFor(channels: string | readonly string[] | undefined, channel: string): boolean {
  return channels === undefined || channels === channel || (Array.isArray(channels) && channels.includes(channel));
}
