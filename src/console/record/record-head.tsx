import type { ComponentChildren } from 'preact';
import type { Sentence as Parts } from '../../base/schema/generated/control.ts';
import { State } from '../components/state.tsx';
import { Sentence } from './sentence.tsx';

interface HeadProps {
  kind: string;
  name: string;
  amount?: ComponentChildren;
  state?: string | undefined;
  detail?: ComponentChildren;
  /** The reason for its state. */
  why?: Parts | undefined;
  children?: ComponentChildren;
}

export function RecordHead({ kind, name, amount, state, detail, why = [], children }: HeadProps) {
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
      {why.length === 0 ? null : <Sentence parts={why} />}
      {children}
    </header>
  );
}
