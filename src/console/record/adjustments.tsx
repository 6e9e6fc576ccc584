import { useState } from 'preact/hooks';
import type { AdjustmentChoice, PaymentView } from '../../base/schema/generated/control.ts';
import { ask } from '../api.ts';
import { isolate } from '../format.ts';
import { attempt, showToast } from '../toasts.ts';
import { ADJUSTMENT_WORDS } from './adjustment-words.ts';

/** Without late failures, because only a scenario can cause them. */
const KINDS: readonly AdjustmentChoice['kind'][] = ['refund', 'reversal', 'chargeback', 'chargeback-reversed'];

/** The minor units of an amount, which always has two decimals. */
function centsOf(amount: string): number {
  return Number(amount.replace('.', ''));
}

function possibleKinds({ state, adjustments = [] }: PaymentView): AdjustmentChoice['kind'][] {
  const adjustedCents = (wanted: AdjustmentChoice['kind']) =>
    adjustments.reduce((sum, { kind, amount }) => sum + (kind === wanted ? centsOf(amount) : 0), 0);
  const isChargedBack = adjustedCents('chargeback') > adjustedCents('chargeback-reversed');
  return KINDS.filter((kind) => (kind === 'chargeback-reversed' ? isChargedBack : state === 'Paid'));
}

export function Adjustments({ payment }: { payment: PaymentView }) {
  const { id, payerReference } = payment;
  const [amount, setAmount] = useState('');
  const add = (kind: AdjustmentChoice['kind']) =>
    attempt(async () => {
      const body: AdjustmentChoice = { kind, ...(amount === '' ? {} : { amount: toDecimal(amount) }) };
      await ask('POST', `payments/${id}/adjustments`, { body });
      // An amount that was typed during the call is for the next adjustment.
      setAmount((current) => (current === amount ? '' : current));
      showToast(`${isolate(payerReference)}: ${ADJUSTMENT_WORDS[kind].done}.`);
    });
  const kinds = possibleKinds(payment);
  return kinds.length === 0 ? null : (
    <fieldset class="button-row" aria-label="After it was paid">
      <input
        class="field"
        aria-label={`Amount in ${payment.currency}`}
        inputMode="decimal"
        autocomplete="off"
        placeholder="Amount (empty: all)"
        value={amount}
        onInput={({ currentTarget }) => setAmount(currentTarget.value.trim())}
        data-testid="adjustments-amount"
      />
      {kinds.map((kind) => (
        <button type="button" key={kind} class="button" onClick={() => add(kind)}>
          {ADJUSTMENT_WORDS[kind].choice}
        </button>
      ))}
      <p class="hint">
        {kinds.map((kind) => `${ADJUSTMENT_WORDS[kind].choice}: ${ADJUSTMENT_WORDS[kind].by}.`).join(' ')}
      </p>
    </fieldset>
  );
}

/** 3 → 3.00 and 3.5 → 3.50, as the control API requires. It refuses other texts, so they stay as they are. */
function toDecimal(typed: string): string {
  const [whole = '', decimals = ''] = typed.split('.');
  return /^\d+(\.\d{0,2})?$/.test(typed) ? `${whole}.${decimals.padEnd(2, '0')}` : typed;
}
