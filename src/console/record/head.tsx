import type { ComponentChildren } from 'preact';
import { State } from '../components/state.tsx';

interface HeadProps {
  kind: string;
  name: string;
  amount?: ComponentChildren;
  state?: string | undefined;
  detail?: ComponentChildren;
  children?: ComponentChildren;
}

/** What a record is, at the top of its detail. */
export function RecordHead({ kind, name, amount, state, detail, children }: HeadProps) {
  return (
    <header class="record-head">
      <p class="record-kind">{kind}</p>
      <div class="record-line">
        <h2 data-testid="record">{name}</h2>
        {amount === undefined ? null : <p class="record-amount">{amount}</p>}
      </div>
      <div class="record-line">
        <p class="record-detail">{detail}</p>
        {state === undefined ? null : (
          <span data-testid="record-state">
            <State state={state} />
          </span>
        )}
      </div>
      {children}
    </header>
  );
}
