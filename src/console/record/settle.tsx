import type { OutcomeChoice } from '../../base/schema/generated/control.ts';
import { ask } from '../api.ts';
import { Icon } from '../components/icon.tsx';
import { Menu } from '../components/menu.tsx';
import { isolate } from '../format.ts';
import { scenarios } from '../session-facts.ts';
import { attempt, showToast } from '../toasts.ts';

interface SettleProps {
  /** The path below the control API. */
  path: string;
  name: string;
  /** The channel; undefined for records without one, such as payouts. */
  channel: string | undefined;
  outcomes: readonly OutcomeChoice['outcome'][];
  /** The part that is decided, such as all open credits; default: the whole record. */
  part?: string;
}

/** Buttons that decide an open payment or payout, also with the failure codes of scenarios for its channel. */
export function Settle({ path, name, channel, outcomes, part }: SettleProps) {
  const settle = (choice: OutcomeChoice) =>
    attempt(async () => {
      await ask('POST', `${path}/settle`, { body: choice });
      showToast(`${isolate(name)} was marked as ${choice.outcome.toLowerCase()}.`);
    });
  const failures = channel === undefined ? [] : failuresOn(channel);
  return (
    <fieldset class="button-row" aria-label="Settle">
      {outcomes.map((outcome) => (
        <button
          type="button"
          key={outcome}
          class="button"
          onClick={() => settle({ outcome })}
          data-testid={`settle-${outcome}`}
        >
          {`Mark ${part === undefined ? '' : `${part} `}as ${outcome.toLowerCase()}`}
        </button>
      ))}
      <Failures failures={failures} onChoice={settle} />
    </fieldset>
  );
}

function Failures({ failures, onChoice }: { failures: OutcomeChoice[]; onChoice(failure: OutcomeChoice): void }) {
  const [first, ...others] = failures;
  if (first === undefined) {
    return null;
  }
  return others.length === 0 ? (
    <button type="button" class="button" title={first.description} onClick={() => onChoice(first)}>
      {`Fail with ${first.code}`}
    </button>
  ) : (
    <Menu
      name="Fail with another code"
      button={
        <>
          Fail with another code <Icon name="chevron" />
        </>
      }
      choices={failures.map((failure) => ({
        key: `${failure.code} ${failure.description}`,
        label: `${failure.code}  ${failure.description ?? ''}`,
        run: () => onChoice(failure),
      }))}
    />
  );
}

/** The failure that the first failing rule of each scenario causes on this channel, if it has a code; without duplicates. */
function failuresOn(channel: string): OutcomeChoice[] {
  const found = new Map<string, OutcomeChoice>();
  for (const { rules } of scenarios.value) {
    const rule = rules.find(({ when, settle }) => settle?.outcome === 'Failed' && hasChannel(when?.channel, channel));
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

function hasChannel(channels: string | readonly string[] | undefined, channel: string): boolean {
  return channels === undefined || channels === channel || (Array.isArray(channels) && channels.includes(channel));
}
